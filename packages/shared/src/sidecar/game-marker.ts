/** The game, as the platform numbers it: tickets and lobbies are for this app. */
export const gameAppId = 413_150;

/**
 * The file in GAME_DIR that is there only while the game's files are whole: the sidecar writes it, whoever starts the game waits for it.
 * The existing game container waits for one of this name as well.
 */
export const gameMarkerName = `.download-manifest-${gameAppId}`;
