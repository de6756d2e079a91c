/** The directory of the platform's servers, where every login begins. */
export const webApi = new URL('https://api.steampowered.com');

/** The platform's result codes that something is decided by. What every one of them means to a session is in the failure table. */
export const resultCodes = {
  ok: 1,
  noConnection: 3,
  wrongPassword: 5,
  fileNotFound: 9,
  accessDenied: 15,
  unknownName: 18,
  limitExceeded: 25,
  expired: 27,
  duplicateRequest: 29,
  noMatch: 42,
  accountLogonDenied: 63,
} as const;
