import { errorOf, parsed, reached, typeOf } from './answer.ts';
import { StewardError } from './error.ts';
import type { Event } from './generated/api.ts';
import type { Signal } from './options.ts';
import type { Target } from './request.ts';
import type { World } from './tries.ts';

/** What is heard on whichever way: how far one has come, and mostly by what. */
export interface Heard {
  readonly place: string;
  readonly event?: Event;
}

/** What is lost stands where nothing was heard: who keeps its place is told of it once more. */
export function gapAt(place: string): Heard {
  return { place, event: { type: 'gap', at: new Date().toISOString(), cursor: place, data: {} } };
}

/** How long a line may say nothing. The server does at once, and every 15 seconds. */
export const silenceMs = { opening: 10_000, between: 35_000 } as const;

/** Far more than any event has. */
const longestFrame = 1_048_576;

/**
 * Reads Server-Sent Events, as fast as whoever asks for the next takes them: what is not taken is left to the server, which ends the
 * connection of who leaves too much. It ends with a StewardError, `timeout` where it was silent.
 */
export async function* streamed(
  path: string,
  { base, headers }: Target,
  signal: Signal | undefined,
  { fetch, after }: World,
): AsyncGenerator<Heard, never, undefined> {
  const controller = new AbortController();
  let why: StewardError | undefined;
  const end = (error: StewardError) => {
    why ??= error;
    controller.abort(error);
  };
  const abort = () => end(new StewardError('aborted', 'The loop was ended by its signal'));
  const watched = (ms: number) =>
    after(ms, () => end(new StewardError('timeout', `The stream was silent for ${ms} ms`)));
  signal?.addEventListener('abort', abort);
  let unwatch = watched(silenceMs.opening);
  try {
    const init = { headers: { ...headers, accept: 'text/event-stream' }, redirect: 'manual' } as const;
    const response = await reached(
      () => fetch(`${base}${path}`, { ...init, cache: 'no-store', signal: controller.signal }),
      base,
    );
    if (!response.ok || typeOf(response) !== 'text/event-stream') throw await errorOf(response);
    // Engines that hand out no answer before its end hold a stream back as some proxies do.
    if (response.body === null || response.body === undefined)
      throw new StewardError('timeout', 'There are no streams here');
    const reader = response.body.getReader();
    controller.signal.addEventListener('abort', () => void reader.cancel().catch(() => {}));
    const decoder = new TextDecoder();
    for (let rest = ''; ; unwatch = watched(silenceMs.between)) {
      const { done, value } = await reader.read().catch(cut);
      unwatch();
      if (done) throw cut();
      const frames = (rest + decoder.decode(value, { stream: true })).split('\n\n');
      rest = frames.pop() ?? '';
      if (rest.length > longestFrame)
        throw new StewardError('not-steward', 'The answer is not a stream from Steward');
      for (const frame of frames) {
        const heard = heardIn(frame);
        if (heard !== undefined) yield heard;
      }
    }
  } catch (error) {
    throw why ?? error;
  } finally {
    unwatch();
    signal?.removeEventListener('abort', abort);
    controller.abort();
  }
}

function cut(cause?: unknown): never {
  throw new StewardError('network', 'The stream has ended, or was cut', { cause });
}

/** Nothing in what only keeps the line alive. */
function heardIn(frame: string): Heard | undefined {
  const fields = new Map<string | undefined, string | undefined>();
  for (const line of frame.split('\n')) {
    const [name, value] = line.split(/: ?(.*)/s);
    fields.set(name, value);
  }
  const place = fields.get('id');
  const data = fields.get('data');
  if (place === undefined) return undefined;
  return data === undefined ? { place } : { place, event: parsed(data, 200) as Event };
}
