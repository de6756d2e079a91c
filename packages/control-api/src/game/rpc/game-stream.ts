import type { Readable, Writable } from 'node:stream';
import type { Secret } from '@steward/service-kit/secret';

/** What every mode produces: bytes from and to one game, and what the handshake on them must know. */
export interface GameStream {
  readonly input: Readable;
  readonly output: Writable;
  /** Flushes what was written, then ends both directions. */
  readonly close: () => void;
  /** Who is at the other end, for the log. */
  readonly from: string;
  readonly helloMs: number;
  /** Set where the stream's own way in proves nothing. */
  readonly secret?: Secret;
  /** Takes lines that are no messages, where a game's stray prints share the stream. */
  readonly strayLine?: (line: string) => void;
}
