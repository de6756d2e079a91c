import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { farmControl, type Ports } from './members.ts';
import { defaultState } from './options.ts';
import { loopback } from './ports.ts';

interface KeyToTry {
  /** Whether the API asks for one. */
  readonly isAsked: boolean;
  /** It, where it may be shown: on a terminal. */
  readonly shown?: string | undefined;
  /** Whether it was made for this start. */
  readonly isNew?: boolean;
}

/** What a newcomer reads when everything is up. */
export function whatToTry(
  { controlApi, dashboard, platformAuth }: Ports,
  state: string,
  { isAsked, shown, isNew = false }: KeyToTry,
): string {
  const api = `http://${loopback}:${controlApi}`;
  // A browser sends nobody what stands behind the #, and the page takes it out of the address at once.
  const page = `http://${loopback}:${dashboard}/${shown === undefined ? '' : `#${new URLSearchParams({ key: shown })}`}`;
  const own =
    isNew && shown !== undefined ? `\n  its key, shown this once   export API_KEY=${shellWord(shown)}` : '';
  const open = isAsked ? ' -H "Authorization: Bearer $API_KEY"' : '';
  const farm = `${state === defaultState ? '' : `FARM_CONTROL=${shellWord(farmControl(state))} `}npm run farm --`;
  return `
Steward is up, with a simulated farm and an emulated platform. Try:

  the farm in your browser   ${page}${own}
  the API's documentation    ${api}/docs
  is it alive?               curl ${api}/health
  how is the farm?           curl ${api}/status${open}
  who is there?              curl ${api}/players${open}
  the invite code            curl ${api}/invite-code${open}
  what happens, as it does   curl -N "${api}/events/stream"${open}
  only who comes and goes    curl -N "${api}/events/stream?topics=players"${open}
  the chat                   a WebSocket to ws://${loopback}:${controlApi}/ws
  the sidecar                curl http://${loopback}:${platformAuth}/health
  the farm                   ${farm} show
  what the farm says         ${farm} follow
  a player comes             ${farm} join Robin

Ctrl-C stops everything; npm start -- --fresh begins anew, with another farm.

`;
}

/** As a shell reads it back whole; what needs no quotes stays without. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

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
