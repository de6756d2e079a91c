/** The name that the document gives the key. */
export const bearerScheme = 'apiKey';
