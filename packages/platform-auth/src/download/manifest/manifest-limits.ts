/** The platform cuts files at 1 MiB. A chunk is in memory whole, several at a time, so there has to be an end. */
export const mostChunkBytes = 16 * 1024 * 1024;

/** Each costs memory; the game has a few thousand of either, and an archive of a few kilobytes could name millions. */
export const mostFiles = 100_000;
export const mostChunks = 200_000;

/** No file of a game comes near; beyond it a size is a lie or a mistake. */
export const mostFileBytes = 1024 ** 4;
