import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { loopback } from './ports.ts';

/** Each question is a line in the log that a newcomer reads meanwhile: few. */
const pollMs = 2_000;
/** Whoever has no codes by then reads in the log, or in /status, why. */
const limitMs = 60_000;

const codes = z.object({ steamInviteCode: z.string(), gogInviteCode: z.string() });

/** Says the farm's invite codes once both are there: the farm has to sign in first, and nothing else waits for it. */
export async function tellCodes(
  port: number,
  key: string | undefined,
  out: NodeJS.WritableStream,
): Promise<void> {
  const headers: Record<string, string> = key ? { authorization: `Bearer ${key}` } : {};
  const deadline = performance.now() + limitMs;
  while (performance.now() < deadline) {
    const found = codes.safeParse(await statusOf(port, headers));
    if (found.success) {
      const { steamInviteCode, gogInviteCode } = found.data;
      out.write(`\nPlayers join by the invite code ${steamInviteCode} or ${gogInviteCode}\n\n`);
      return;
    }
    await pause(pollMs, undefined, { ref: false });
  }
}

async function statusOf(port: number, headers: Record<string, string>): Promise<unknown> {
  try {
    return await (await fetch(`http://${loopback}:${port}/status`, { headers })).json();
  } catch {
    return undefined;
  }
}
