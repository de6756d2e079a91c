import type { Event } from '../../src/generated/api.ts';
import { StewardError } from '../../src/index.ts';
import { type ScriptedWorld, whileTimePasses } from './scripted-world.ts';

type Events = AsyncGenerator<Event, void, undefined>;

/** The next so many of them, by what they are known by. */
export async function next(events: Events, times: number, { clock }: ScriptedWorld): Promise<unknown[]> {
  const heard: unknown[] = [];
  while (heard.length < times) {
    const { value, done } = await whileTimePasses(events.next(), clock);
    if (done) break;
    heard.push(value?.type === 'gap' ? 'gap' : value?.cursor);
  }
  return heard;
}

/** With what error the loop ends. */
export async function endOf(events: Events, { clock }: ScriptedWorld): Promise<StewardError> {
  const ended = (async () => {
    for await (const _event of events);
  })();
  const error = await whileTimePasses(
    ended.catch((each: unknown) => each),
    clock,
  );
  if (error instanceof StewardError) return error;
  throw new Error(`it ended with ${error}`);
}

/** How long it was between requests, but for the moments that a test takes to notice. */
export function waitsOf({ asked }: ScriptedWorld): number[] {
  const grainMs = 125;
  const waits = asked.map(({ atMs }, index) => atMs - (asked[index - 1]?.atMs ?? 0));
  return waits.slice(1).map((ms) => ms - (ms % grainMs));
}

/** What was asked of the server, without its place. */
export const askedOf = ({ asked }: ScriptedWorld): string[] =>
  asked.map(({ url }) => url.replace('http://farm.example:8080', ''));
