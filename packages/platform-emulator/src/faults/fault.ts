/** What a faulty answer does to its bytes. All keep HTTP well-formed: the damage is in the content. */
export type Damage =
  /** Other bytes of the same length, as from a cache that serves the wrong file. */
  | 'wrong-bytes'
  /** The first half only, with an honest Content-Length. */
  | 'truncated'
  /** One bit in the middle is flipped. */
  | 'corrupt';

/** What goes wrong with one request. Several members may be set: a slow answer can also be cut. */
export interface Fault {
  /** Waits this long before the first byte of an answer. */
  readonly latencyMs?: number;
  readonly bytesPerSecond?: number;
  /** The connection is reset after this many bytes of the body; 0 resets before any answer. */
  readonly resetAtByte?: number;
  /** Half-open: after this many bytes of the body nothing more comes, and the connection stays. 0 never answers. */
  readonly stallAtByte?: number;
  /** An HTTP status instead of the answer. */
  readonly status?: number;
  /** With a status: its header Retry-After, in seconds or as a date. */
  readonly retryAfter?: string;
  /** An EResult instead of the answer, for CM messages and service methods. */
  readonly eresult?: number;
  readonly damage?: Damage;
}

/** Statuses that the real platform's edges are known to answer; a plan may use others too. */
export const edgeStatuses = [401, 403, 404, 429, 500, 503] as const;

export function damaged(body: Buffer, damage: Damage | undefined): Buffer {
  if (damage === undefined || body.length === 0) return body;
  if (damage === 'truncated') return body.subarray(0, body.length >> 1);
  if (damage === 'wrong-bytes')
    return Buffer.from(body.map((byte, index) => byte ^ ((index * 31 + 7) & 0xff)));
  const copy = Buffer.from(body);
  const middle = copy.length >> 1;
  copy.writeUInt8(copy.readUInt8(middle) ^ 0x10, middle);
  return copy;
}
