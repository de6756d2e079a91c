/**
 * The file in GAME_DIR that is there only while the game's files are whole: the sidecar writes it, whoever starts the game waits for it.
 * The existing game container waits for one of this name as well.
 */
export const gameMarkerName = '.download-manifest-413150';
