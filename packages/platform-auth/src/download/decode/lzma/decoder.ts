/** `properties` are the five bytes of an LZMA header; what comes out has `bytes` bytes, or it throws. */
export type DecodeLzma = (properties: Uint8Array, stream: Uint8Array, bytes: number) => Uint8Array;
