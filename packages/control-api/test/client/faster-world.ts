import type { World } from '@steward/client/tries';

interface FasterWorld {
  /** How many of its seconds pass in one of the machine's. */
  readonly faster: number;
  readonly random: () => number;
  readonly fetch?: World['fetch'];
  readonly WebSocket?: World['WebSocket'];
}

/** The client's own world but for its waits, which a test need not wait for. */
export function fasterWorld({
  faster,
  random,
  fetch = globalThis.fetch,
  WebSocket = globalThis.WebSocket,
}: FasterWorld): World {
  return {
    fetch,
    WebSocket,
    random,
    now: () => performance.now() * faster,
    after(ms, action) {
      const timer = setTimeout(action, ms / faster);
      return () => clearTimeout(timer);
    },
  };
}
