import { execFile } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { ChaosWorld } from './chaos-world.ts';
import { key } from './programs.ts';

const run = promisify(execFile);

/** Lines are written a moment after what they tell of. */
const lineLimitMs = 20_000;
const lookAgainMs = 20;

/** What the log says to let this identity in with this farmhand: the line that an operator pastes into a shell. */
export async function remedyFor(world: ChaosWorld, farmhandId: string, digits: string): Promise<string> {
  const wanted = `playerId=${farmhandId}&identity=${digits}`;
  const deadline = AbortSignal.timeout(lineLimitMs);
  while (!deadline.aborted) {
    const line = world.api.output.findLast((each) => each.includes(wanted));
    if (line !== undefined) {
      const { msg } = JSON.parse(line) as { msg: string };
      return msg.slice(msg.indexOf('curl '));
    }
    await pause(lookAgainMs);
  }
  throw new Error(`the log has no remedy for ${wanted}`);
}

/** Does what the line says, and answers what the control API answered. */
export async function paste(line: string): Promise<unknown> {
  const { stdout } = await run('sh', ['-c', `${line} -s`], { env: { ...process.env, API_KEY: key } });
  return JSON.parse(stdout);
}
