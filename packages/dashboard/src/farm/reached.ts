import { type Event, type EventsOptions, type FarmOperations, StewardError } from '@steward/client';
import { callsOf } from '@steward/client/calls';
import { targetOf } from '@steward/client/request';
import { worldOf } from '@steward/client/world';

export interface FarmAt {
  /** Where its page is, and below `/api` what it is asked by. */
  readonly origin: string;
  readonly key: string | undefined;
}

/** How a farm is reached. */
export interface Reached {
  /** For deeds, and for reads that nobody keeps. */
  readonly client: FarmOperations;
  /** For what is asked for anew by itself. */
  readonly asking: FarmOperations;
  readonly events: (options: EventsOptions) => AsyncGenerator<Event, void, undefined>;
}

/** As the client does it, but that what follows events comes once somebody follows some: no first view waits for it. */
export function reached({ origin, key }: FarmAt): Reached {
  const options = { url: `${origin}/api`, key };
  const world = worldOf(options);
  const client = callsOf(options, world);
  return {
    client,
    // Where the server is away the link says so, and all is asked for anew once it stands.
    asking: callsOf({ ...options, retries: 1 }, world),
    async *events(chosen) {
      const follow = await loadedFollow(chosen);
      if (follow !== undefined) yield* follow(chosen, client, targetOf(options), world);
    },
  };
}

const tryAgainMs = 1_000;

/** Tries for as long as somebody wants it. */
async function loadedFollow({ signal, onDrop }: EventsOptions) {
  while (!signal?.aborted) {
    try {
      return (await import('@steward/client/events')).follow;
    } catch (cause) {
      onDrop?.(new StewardError('network', String(cause), { cause }));
    }
    await new Promise((resolve) => setTimeout(resolve, tryAgainMs));
    await beginAnew();
  }
  return undefined;
}

/** Browsers may remember that something could not be loaded: once the server is there the page begins anew, which it has only just done. */
async function beginAnew(): Promise<void> {
  const [came] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const isThere =
    came?.type !== 'reload' &&
    (await fetch('/', { method: 'HEAD' }).then(
      ({ ok }) => ok,
      () => false,
    ));
  if (isThere) location.reload();
}
