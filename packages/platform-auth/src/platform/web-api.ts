/** The directory of the platform's servers, where every login begins. */
export const webApi = new URL('https://api.steampowered.com');
