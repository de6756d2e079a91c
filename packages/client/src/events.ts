import { StewardError } from './error.ts';
import type { Event, FarmOperations, Topic } from './generated/api.ts';
import type { Signal } from './options.ts';
import { pathAndQuery, type Target } from './request.ts';
import { socketed } from './socket.ts';
import { gapAt, type Heard, streamed } from './stream.ts';
import { backoff, passing, type Timing, type World, waitFor } from './tries.ts';

/** What a loop over events may be told. */
export interface EventsOptions {
  /** Only events of these; where nothing is said, of all that the key may hear. */
  topics?: readonly Topic[] | undefined;
  /** The `cursor` of the last event that is done with: it goes on behind it. Where nothing is said, with what happens from now on. */
  after?: string | undefined;
  /** Ends the loop, without an error. */
  signal?: Signal | undefined;
  /** Told why the connection was lost or none was made, each time before it is tried again; for a log. */
  onDrop?: ((error: StewardError) => void) | undefined;
  /** Told each time that a connection stands: whatever happens from then on is heard. For who shows that it is so. */
  onOpen?: (() => void) | undefined;
  /** Told where the loop is while there is nothing for it, for who stores a `cursor`: an old one is forgotten by the server one day. */
  onPlace?: ((cursor: string) => void) | undefined;
}

/**
 * How long the server may keep a page until there is something for it, and how long one may take in all. The first is not kept: it
 * tells soon whether pages come at all.
 */
const pages = { firstMs: 10_000, waitSeconds: 25, waitingMs: 40_000 } as const;

/** It ends with a StewardError, or where it does not go this way at all without one. */
type Way = (place: string | undefined) => AsyncGenerator<Heard, void, undefined>;

/**
 * Every event once and in order, from connection to connection: whatever the way is, each begins behind the last event that was
 * handed out.
 *
 * @internal
 */
export function follow(
  { topics, after, signal, onDrop, onOpen, onPlace }: EventsOptions,
  operations: Pick<FarmOperations, 'getEvents'>,
  target: Target,
  world: World,
): AsyncGenerator<Event, void, undefined> {
  if (topics?.length === 0) throw new TypeError('steward: topics names none; leave it out for all of them');
  const chosen = topics?.join(',');
  const bySocket: Way = (place) => socketed({ topics, place }, target, signal, world);
  const byStream: Way = (place) => {
    const path = pathAndQuery('/events/stream', { topics: chosen, after: place });
    return streamed(path, target, signal, world);
  };
  const byPages: Way = (place) => paged({ topics: chosen, place, signal }, operations);
  return followed({ after, signal, onDrop, onOpen, onPlace, ways: { bySocket, byStream, byPages } }, world);
}

interface Following extends Omit<EventsOptions, 'topics'> {
  readonly ways: Readonly<Record<'bySocket' | 'byStream' | 'byPages', Way>>;
}

async function* followed(
  { after, signal, onDrop, onOpen, onPlace, ways: { bySocket, byStream, byPages } }: Following,
  timing: Timing,
): AsyncGenerator<Event, void, undefined> {
  let place = after;
  let way = bySocket;
  let hasWorked = false;
  for (let drops = 0; !signal?.aborted; ) {
    const beganAt = timing.now();
    let isSilent = true;
    try {
      for await (const heard of way(place)) {
        ({ place } = heard);
        if (isSilent) onOpen?.();
        isSilent = false;
        hasWorked = true;
        if (heard.event !== undefined) {
          drops = 0;
          yield heard.event;
        } else onPlace?.(place);
        if (signal?.aborted) return;
      }
      // Nothing is lost, and the next way says whether something is wrong.
      way = byStream;
    } catch (error) {
      if (signal?.aborted) return;
      if (!(error instanceof StewardError) || isForGood(error, hasWorked)) throw error;
      onDrop?.(error);
      // Somebody on the way holds back what has no end yet; a page has one.
      if (isSilent && way === byStream && error.code === 'timeout') way = byPages;
      // What has gone one way goes there again.
      else if (isSilent || way === byPages) way = bySocket;
      if (!isSilent && timing.now() - beganAt > backoff.longestMs) drops = 0;
      if (!signal?.aborted) await pause(waitFor(error, drops, timing.random), signal, timing);
      drops += 1;
    }
  }
}

/** Whether the server, or what stands in its place, would say the same for ever. Proxies say much while a server is away. */
function isForGood({ code, status = 0, problem }: StewardError, hasWorked: boolean): boolean {
  if (passing.has(status) || status >= 500) return false;
  if (problem !== undefined) return problem.retry !== true;
  return code === 'not-steward' && !hasWorked;
}

interface Asked {
  readonly topics: string | undefined;
  readonly place: string | undefined;
  readonly signal: Signal | undefined;
}

/** The same by requests that the server answers when there is something. */
async function* paged(
  { topics, place, signal }: Asked,
  { getEvents }: Pick<FarmOperations, 'getEvents'>,
): AsyncGenerator<Heard, never, undefined> {
  const { firstMs, waitSeconds, waitingMs } = pages;
  const ask = (parameters: object, timeoutMs: number) =>
    getEvents({ topics, ...parameters }, { signal, timeoutMs });
  let after = place ?? (await ask({ limit: 1 }, firstMs)).cursor;
  if (place === undefined) yield { place: after };
  for (let isFirst = true; ; isFirst = false) {
    const { events, gap, cursor } = isFirst
      ? await ask({ after }, firstMs)
      : await ask({ after, wait: waitSeconds }, waitingMs);
    if (gap) yield gapAt(after);
    for (const event of events) yield { place: event.cursor, event };
    after = cursor;
    yield { place: after };
  }
}

function pause(ms: number, signal: Signal | undefined, { after }: Timing): Promise<void> {
  return new Promise((resolve) => {
    const over = () => {
      cancel();
      signal?.removeEventListener('abort', over);
      resolve();
    };
    const cancel = after(ms, over);
    signal?.addEventListener('abort', over);
  });
}
