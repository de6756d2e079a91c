import type { WebhookTemplate } from '@steward/shared/api/webhook-parameters';
import type { Posted, Templates } from './sending.ts';

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

export const webhookPace = {
  firstPauseMs: 5 * secondMs,
  longestPauseMs: hourMs,
  /** What a receiver refuses for what it says is tried so often. */
  triesOfRefused: 3,
  /** Everything else waits meanwhile; a receiver that comes back may need as much until it is all there. */
  longestPauseOfRefusedMs: 5 * minuteMs,
  /** Switched off is what has failed for so long, and so often as it is tried at least in that time: while the service is off nothing is. */
  offAfterMs: 72 * hourMs,
  offAfterFailures: 72,
} as const;

/** What one answer means. A reason has nothing of what was answered but its status: a stranger's text may repeat the URL. */
export type Verdict =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'gone'; readonly reason: string }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string };

/** Of what a client may have done wrong, these speak of the moment. */
const passing: ReadonlySet<number> = new Set([408, 409, 425, 429]);
const gone = 410;

export function verdictOf(
  posted: Posted,
  template: WebhookTemplate,
  templates: Pick<Templates, 'isGone'>,
): Verdict {
  if (posted.kind === 'failed') return posted;
  const { status } = posted;
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  const reason = `it answered ${status}`;
  if (status === gone || templates.isGone(template, posted))
    return { kind: 'gone', reason: `${reason}: it accepts no more messages` };
  if (status >= 300 && status < 400)
    return { kind: 'refused', reason: `${reason}: redirects are not followed` };
  return { kind: status >= 500 || passing.has(status) ? 'failed' : 'refused', reason };
}

/** For how long nothing is sent after so many tries of one message: at least for as long as the receiver asks. */
export function pauseBefore(
  tries: number,
  last: Verdict['kind'],
  askedMs: number,
  random: () => number,
): number {
  const { firstPauseMs, longestPauseMs, longestPauseOfRefusedMs } = webhookPace;
  const full = Math.min(longestPauseMs, firstPauseMs * 2 ** (tries - 1));
  const spread = full * (1 - random() / 2);
  const own = last === 'refused' ? Math.min(spread, longestPauseOfRefusedMs) : spread;
  return Math.round(Math.max(own, heeded(askedMs)));
}

/** Of what a receiver asks for, however long, an hour: some name times that no clock knows, and no database takes. */
export function heeded(askedMs: number): number {
  return Math.min(askedMs, webhookPace.longestPauseMs);
}

/** What `Retry-After` asks for, in seconds or until a date; 0 where it asks for nothing that can be read. */
export function retryAfterMs(posted: Posted, now: Date): number {
  const text = posted.kind === 'answered' ? posted.headers['retry-after'] : undefined;
  if (text === undefined) return 0;
  const ms = /^[0-9]{1,9}$/.test(text) ? Number(text) * secondMs : Date.parse(text) - now.getTime();
  return Number.isNaN(ms) ? 0 : Math.max(ms, 0);
}
