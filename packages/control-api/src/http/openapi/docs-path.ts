/** Where the interactive page is. */
export const docsPath = '/docs';
