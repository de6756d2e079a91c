/** `fetch` as the platform has it. Where a program is compiled without its types, whatever behaves like it. */
export type Fetch = typeof globalThis extends { fetch: infer Platform }
  ? Platform
  : (url: string, init: object) => Promise<unknown>;

/** The `signal` of an `AbortController`. */
export type Signal = typeof globalThis extends { AbortSignal: { prototype: infer Platform } }
  ? Platform
  : {
      readonly aborted: boolean;
      readonly reason?: unknown;
      addEventListener(type: 'abort', listener: () => void): void;
      removeEventListener(type: 'abort', listener: () => void): void;
    };

/** What may be larger than memory: a stream of bytes, to be read while it comes. Where it ends too soon, reading it fails. */
export type Bytes = typeof globalThis extends { ReadableStream: { prototype: infer Platform } }
  ? Platform
  : AsyncIterable<Uint8Array>;

export interface StewardOptions {
  /** Where the control API is, such as `http://127.0.0.1:8080`; behind a proxy with the path that it has there. */
  url: string;
  /** `API_KEY`, or a key that was made with it. It is sent as a header alone, and stands in no URL and in no error. */
  key?: string | undefined;
  /** How long a call may take with all of its tries; 30 seconds where nothing is said, and longer for a save and for a deletion. */
  timeoutMs?: number | undefined;
  /** How often a call is tried again where that is safe; 4 times where nothing is said. */
  retries?: number | undefined;
  /** Another `fetch` than the platform's own: through a proxy, or with a certificate of one's own. Loops over events open no `WebSocket` past it. */
  fetch?: Fetch | undefined;
}

/** What one call may be told beside its parameters. */
export interface CallOptions {
  /** Ends the call, with the error `aborted`. */
  signal?: Signal | undefined;
  /** For this call alone: how long it may take with all of its tries. */
  timeoutMs?: number | undefined;
}

/** What a call that changes something may be told beside its parameters. */
export interface WriteOptions extends CallOptions {
  /**
   * The name of this deed, by which the server carries it out once. Each call makes one of its own and uses it for all of its
   * tries; give one that you have kept to go on with a deed after a restart of your own program.
   */
  idempotencyKey?: string | undefined;
}
