/** The game, as the platform numbers it: tickets and lobbies are for this app. */
export const gameAppId = 413_150;
