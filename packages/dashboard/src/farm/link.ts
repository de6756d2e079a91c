import type { StewardError } from '@steward/client';

/** How the page stands with a farm's server. */
export interface Link {
  readonly is:
    | 'connecting'
    | 'live'
    /** It cannot be reached, or says nothing of use; it is tried again for ever. */
    | 'away'
    /** It said a moment ago that it stops. */
    | 'restarting'
    /** It asks for a key, and no other try helps. */
    | 'locked'
    /** What answers is not a farm's server, or none that this page can talk to. */
    | 'refused';
  readonly since: number;
  /** Why it is so, as the server or the client said it. */
  readonly code?: string | undefined;
  readonly detail?: string | undefined;
}

/** Where what is shown is as it was, and nothing can be done. */
export function isLost(is: Link['is']): is is 'away' | 'restarting' | 'refused' {
  return is === 'away' || is === 'restarting' || is === 'refused';
}

/** Of what these say, nothing came from the farm's server, or it stops. */
const unanswered: ReadonlySet<string | undefined> = new Set([
  'network',
  'timeout',
  'not-steward',
  'shutting-down',
]);

/** Why a server that answers does not let the page in, as it says it. */
export function refusalIn({ is, code, detail }: Link): string | undefined {
  return is === 'away' && !unanswered.has(code) ? detail : undefined;
}

const keyTroubles: ReadonlySet<string> = new Set(['unauthorized', 'key-ended', 'too-many-requests']);

/** What an error that no other try would mend says of the link. */
export function linkAfter({ code, detail }: StewardError, now: number): Link {
  return { is: keyTroubles.has(code) ? 'locked' : 'refused', since: now, code, detail };
}

/** Who is not back by then was stopped for good, or cannot start. */
const restartMs = 120_000;

/** What a lost connection says of it; that a server is away goes on from when it was noticed first. */
export function linkWithout({ code, detail }: StewardError, before: Link, now: number): Link {
  const since = before.is === 'away' || before.is === 'restarting' ? before.since : now;
  const said = before.is === 'restarting' || code === 'shutting-down';
  return { is: said && now - since < restartMs ? 'restarting' : 'away', since, code, detail };
}
