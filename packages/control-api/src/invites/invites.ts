import type { Clock } from '@steward/service-kit/clock';
import type { Log } from '@steward/service-kit/log/logger';
import type { InviteStep, StepName, StepState } from '@steward/shared/api/answers/readiness';
import type { StewardEvent } from '@steward/shared/events/event-data';
import type { GameBridge } from '../game/game-bridge.ts';
import { type BridgeState, isConnected } from '../game/state/bridge-state.ts';
import type { SidecarClient } from '../sidecar/sidecar-client.ts';
import type { AppTickets } from './app-tickets.ts';
import type { InviteCodes, InviteFacts } from './facts.ts';
import { type InviteStatus, inviteStatusOf, noSidecar } from './invite-status.ts';
import { LobbyLinker } from './lobby-linker.ts';
import { SidecarWatch } from './sidecar-watch.ts';
import { steps } from './steps.ts';

interface InvitesParts {
  readonly bridge: Pick<GameBridge, 'state' | 'follow' | 'run'> & {
    readonly events: { append(event: StewardEvent): unknown };
  };
  /** Undefined where PLATFORM_AUTH_URL is empty. */
  readonly sidecar: SidecarClient | undefined;
  readonly tickets: AppTickets;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
}

/** Gets players their invite codes: derives from every news where each step stands, and does what is missing. */
export class Invites {
  readonly news: InviteNews;
  readonly sidecar: SidecarClient | undefined;
  readonly #parts: InvitesParts;
  readonly #watch: SidecarWatch | undefined;
  readonly #linker: LobbyLinker | undefined;
  readonly #unfollow: () => void;
  #status: InviteStatus;

  constructor(parts: InvitesParts) {
    this.#parts = parts;
    const { bridge, sidecar, tickets } = parts;
    this.sidecar = sidecar;
    this.news = new InviteNews({ events: bridge.events, log: parts.log });
    const changed = () => this.#changed();
    if (sidecar !== undefined) {
      const tell = (event: StewardEvent) => void bridge.events.append(event);
      const watch = new SidecarWatch({ ...parts, sidecar, game: () => bridge.state, changed, tell });
      this.#watch = watch;
      this.#linker = new LobbyLinker({ ...parts, sidecar: () => watch.facts, changed });
    }
    tickets.onChange(changed);
    this.#status = inviteStatusOf(this.#facts, undefined, parts.clock.date());
    this.#unfollow = bridge.follow((state) => this.#gameChanged(state));
  }

  get status(): InviteStatus {
    return this.#status;
  }

  start(): void {
    const isSelfHosted = this.#parts.bridge.state.selfHosted !== undefined;
    if (this.#watch === undefined && !isSelfHosted) this.#parts.log.info({}, noSidecar);
    this.#watch?.start();
  }

  stop(): void {
    this.#unfollow();
    this.#watch?.stop();
    this.#linker?.stop();
    this.sidecar?.close();
  }

  get #facts(): InviteFacts {
    const { bridge, tickets } = this.#parts;
    return {
      bridge: bridge.state,
      sidecar: this.#watch?.facts,
      ticket: tickets.fact,
      lobbyLink: this.#linker?.fact ?? { kind: 'idle' },
    };
  }

  #gameChanged({ link }: BridgeState): void {
    const { tickets } = this.#parts;
    if (!isConnected(link.status) && tickets.fact.kind !== 'unasked') tickets.forget();
    this.#watch?.gameChanged();
    this.#changed();
  }

  #changed(): void {
    this.#linker?.look();
    const before = this.#status;
    this.#status = inviteStatusOf(this.#facts, before, this.#parts.clock.date());
    this.news.tell(before, this.#status);
  }
}

interface InviteNewsParts {
  readonly events: { append(event: StewardEvent): unknown };
  readonly log: Log;
}

/** Tells what has changed: an event and a line for each transition, and a count for whoever measures. */
class InviteNews {
  readonly #parts: InviteNewsParts;
  readonly #counts = new Map<string, { step: StepName; state: StepState; times: number }>();

  constructor(parts: InviteNewsParts) {
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

  tell(before: InviteStatus, after: InviteStatus): void {
    if (before === after) return;
    for (const [index, now] of after.steps.entries()) {
      const past = before.steps[index];
      if (past !== undefined && past.state !== now.state) this.#step(past, now);
    }
    this.#codes(before.codes, after.codes);
  }

  #step(past: InviteStep, { step, state, reason, remedy, nextRetry }: InviteStep): void {
    const { events, log } = this.#parts;
    this.#count(step, state);
    const told = { step, from: past.state, to: state, reason, ...(remedy === undefined ? {} : { remedy }) };
    events.append({ type: 'invites.step', data: told });
    const facts = { step, from: past.state, to: state, remedy, nextRetry };
    log[levels[state]](facts, `invite code: ${steps[step].title}: ${state}: ${reason}`);
  }

  #codes(before: InviteCodes, after: InviteCodes): void {
    const { platform, network } = after;
    if (before.platform === platform && before.network === network) return;
    const { events, log } = this.#parts;
    events.append({ type: 'invites.codes', data: after });
    const codes = [platform, network].filter((code) => code !== undefined);
    if (codes.length === 0) log.warn({}, 'no invite code works now');
    else log.info({}, `players join with the code ${codes.join(' or ')}`);
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
