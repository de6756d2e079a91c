import type { Log } from '@steward/service-kit/log/log';
import type { StepName, StepState } from '@steward/shared/api/answers/readiness';
import type { BridgeEvent } from '../game/game-bridge.ts';
import type { InviteCodes } from './codes.ts';
import type { WayPicture, WayStep } from './picture.ts';
import { steps } from './steps.ts';

export interface WayNewsParts {
  readonly events: { append(event: BridgeEvent): unknown };
  readonly log: Log;
}

/** Tells what has changed on the way: an event and a line for each transition, and a count for whoever measures. */
export class WayNews {
  readonly #parts: WayNewsParts;
  readonly #counts = new Map<string, { step: StepName; state: StepState; times: number }>();

  constructor(parts: WayNewsParts) {
    this.#parts = parts;
  }

  /** How often each step has come into each state. */
  get transitions(): Iterable<{
    readonly step: StepName;
    readonly state: StepState;
    readonly times: number;
  }> {
    return this.#counts.values();
  }

  tell(before: WayPicture, after: WayPicture): void {
    if (before === after) return;
    for (const [index, now] of after.steps.entries()) {
      const past = before.steps[index];
      if (past !== undefined && past.state !== now.state) this.#step(past, now);
    }
    this.#codes(before.codes, after.codes);
  }

  #step(past: WayStep, { step, state, reason, remedy, nextRetry }: WayStep): void {
    const { events, log } = this.#parts;
    this.#count(step, state);
    events.append({ kind: 'inviteWay', step, from: past.state, to: state, reason });
    const facts = { step, from: past.state, to: state, remedy, nextRetry };
    log[levels[state]](facts, `invite code: ${steps[step].title}: ${state}: ${reason}`);
  }

  #codes(before: InviteCodes, after: InviteCodes): void {
    const { platform, network } = after;
    if (before.platform === platform && before.network === network) return;
    const { events, log } = this.#parts;
    events.append({ kind: 'inviteCodes', ...after });
    const codes = [platform, network].filter((code) => code !== undefined);
    if (codes.length === 0) log.warn({}, 'no invite code works any more');
    else log.info({}, `players join by the invite code ${codes.join(' or ')}`);
  }

  #count(step: StepName, state: StepState): void {
    const key = `${step} ${state}`;
    const count = this.#counts.get(key) ?? { step, state, times: 0 };
    count.times += 1;
    this.#counts.set(key, count);
  }
}

/** What is only on its way is not worth a line in a quiet log. */
const levels = {
  off: 'debug',
  waiting: 'debug',
  working: 'debug',
  ok: 'info',
  failed: 'warn',
  lost: 'warn',
} as const satisfies Record<StepState, 'debug' | 'info' | 'warn'>;
