import { setTimeout as pause } from 'node:timers/promises';
import { OperatorError } from '@steward/service-kit/process/errors';
import { z } from 'zod';
import { ownRequestId } from './member-log.ts';
import { loopback } from './ports.ts';
import type { Codes } from './what-to-try.ts';

const pollMs = 250;
/** A farm that has no codes by then may still get them: the log and the page go on telling. */
const limitMs = 60_000;

/** How a game stands that is connected, however slowly it answers. */
const connected: readonly string[] = ['live', 'slow', 'frozen'];

const status = z.object({
  steamInviteCode: z.string().optional(),
  gogInviteCode: z.string().optional(),
  obstacles: z.array(z.object({ reason: z.string() })),
});
const health = z.object({ game: z.object({ status: z.string() }) });
const gameLog = z.object({ lines: z.array(z.object({ text: z.string() })) });

/**
 * Waits until players can join, or until that has taken too long, and says why. A farm that ends before it was ever
 * connected ends again however often it is started: that is an error, with the farm's last words.
 */
export async function waitForCodes(
  port: number,
  key: string | undefined,
  limit = limitMs,
): Promise<Codes | { readonly why: string }> {
  const ask = questions(port, key);
  const deadline = performance.now() + limit;
  let wasConnected = false;
  let why = 'the control API does not answer';
  while (performance.now() < deadline) {
    const { game } = (await ask('/health', health)) ?? {};
    wasConnected ||= game !== undefined && connected.includes(game.status);
    if (game?.status === 'restarting' && !wasConnected) throw new OperatorError(await lastWords(ask));
    const now = await ask('/status', status);
    if (now?.steamInviteCode !== undefined && now.gogInviteCode !== undefined)
      return { platform: now.steamInviteCode, network: now.gogInviteCode };
    why = now?.obstacles[0]?.reason ?? why;
    await pause(pollMs, undefined, { ref: false });
  }
  return { why };
}

type Ask = <T>(path: string, answer: z.ZodType<T>) => Promise<T | undefined>;

function questions(port: number, key: string | undefined): Ask {
  const headers = { 'x-request-id': ownRequestId, ...(key ? { authorization: `Bearer ${key}` } : {}) };
  return async (path, answer) => {
    try {
      const response = await fetch(`http://${loopback}:${port}${path}`, { headers });
      return answer.parse(await response.json());
    } catch {
      return undefined;
    }
  };
}

async function lastWords(ask: Ask): Promise<string> {
  const lines = (await ask('/game/log', gameLog))?.lines ?? [];
  const said = lines.at(-1)?.text ?? 'it printed nothing';
  return `the farm cannot start, so everything stops. Its output: ${said}`;
}
