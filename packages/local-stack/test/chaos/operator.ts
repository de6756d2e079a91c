import { execFile } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { ChaosWorld } from './chaos-world.ts';
import { key } from './programs.ts';

const run = promisify(execFile);

/** Lines are written a moment after what they tell of. */
const lineLimitMs = 20_000;
const lookAgainMs = 20;

/** What the log says to let this identity in with this farmhand, as an operator copies it out of a line of JSON. */
export async function remedyFor(world: ChaosWorld, farmhandId: string, digits: string): Promise<string> {
  const wanted = `playerId=${farmhandId}&identity=${digits}`;
  const deadline = AbortSignal.timeout(lineLimitMs);
  while (!deadline.aborted) {
    const line = world.api.output.findLast((each) => each.includes(wanted));
    if (line !== undefined) return line.slice(line.indexOf('(IFS='), line.lastIndexOf(')') + 1);
    await pause(lookAgainMs);
  }
  throw new Error(`the log has no remedy for ${wanted}`);
}

/** Does what the line says, and answers what the control API answered. */
export async function paste({ origin }: ChaosWorld, line: string): Promise<unknown> {
  const env = { ...process.env, API: origin, API_KEY: key };
  const { stdout } = await run('sh', ['-c', line], { env });
  return JSON.parse(stdout);
}
