/** Bytes that are not what they should be: from a broken cache, or under another key. Another server may have better ones. */
export class DecodeError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DecodeError';
  }
}
