/** The platform cuts files at 1 MiB. A chunk is in memory whole, several at a time, so there has to be an end. */
export const mostChunkBytes = 16 * 1024 * 1024;

/** No file of a game comes near; beyond it a size is a lie or a mistake. */
export const mostFileBytes = 1024 ** 4;
