import type { Clock, Timer } from '@steward/service-kit/clock';
import type { Contention as Contended } from '@steward/shared/sidecar/health';
import { timestampOf } from '@steward/shared/wire-values';
import type { ContentionRecord } from './contention-record.ts';

const secondMs = 1_000;
const minuteMs = 60 * secondMs;

export const contentionLimits = {
  /** The platform may close a lobby for reasons of its own. So many under one healthy session, within so long, were taken. */
  lobbies: 3,
  withinMs: 5 * minuteMs,
  /** How often a lobby is looked at while one was lost of late: both farms shall know within two minutes. */
  watchMs: 10 * secondMs,
  /** Before a lobby is taken back that was taken again; doubled each time. */
  firstPauseMs: 2 * minuteMs,
  longestPauseMs: 15 * minuteMs,
  /** Longer than anybody pauses: what nobody has taken for so long is ours alone. */
  overAfterMs: 20 * minuteMs,
} as const;

export const oneAccountPerFarm =
  'Use one account per farm: give each farm its own platform account, or stop the other program. Until then both take turns, less and less often; it recovers by itself once the other has stopped';

/** What the platform lets an account have but once. */
export type Contested = 'session' | 'lobby';

export interface ContentionParts {
  readonly clock: Clock;
  /** Told when it begins and when it is over. */
  readonly changed: (contended: Contended | undefined) => void;
  /** What the next run of the service is to know of it. */
  readonly record: Pick<ContentionRecord, 'read' | 'write' | 'settled'>;
}

/**
 * Tells whether another program uses this account: two farms on one would take each other's lobby, and their players' codes with
 * it, for ever. Each that is taken again is taken back later than the one before.
 */
export class Contention {
  readonly #parts: ContentionParts;
  /** When lobbies were lost of late. */
  #losses: readonly number[] = [];
  readonly #away = new Set<Contested>();
  #contended: Contended | undefined;
  /** The platform's id of whose contention this is; empty where it began before the first login. */
  #account = '';
  #pauses = 0;
  #lobbySince = 0;
  /** How often in a row a lobby was taken back at once, for the other one to see it. */
  #shown = 0;
  #over: Timer | undefined;

  constructor(parts: ContentionParts) {
    this.#parts = parts;
  }

  /** Undefined while the account is ours alone, as far as that can be told. */
  get contended(): Contended | undefined {
    return this.#contended;
  }

  /** Whether a lobby has to be looked at closely. */
  get isWatching(): boolean {
    return this.#recent().length > 0;
  }

  /** Called once, before the login: what an earlier run knew holds until it shows to be over. */
  async restore(): Promise<void> {
    const { clock, record, changed } = this.#parts;
    const kept = await record.read();
    if (kept === undefined) return;
    const { longestPauseMs, overAfterMs } = contentionLimits;
    if (clock.date().getTime() - Date.parse(kept.at) > longestPauseMs + overAfterMs) {
      record.write(undefined);
      return;
    }
    this.#contended = { reason: kept.reason, remedy: oneAccountPerFarm, since: kept.since };
    this.#account = kept.account;
    changed(this.#contended);
    this.#endLater();
  }

  /** The session is ours. With another account, what was known of the former one is over: it was given one of its own. */
  loggedIn(account: string): void {
    if (this.#contended !== undefined && !['', account].includes(this.#account)) this.#end();
    this.#account = account;
    this.held('session');
  }

  /** The platform has ended the lobby, and the session is well. Answers how long to leave it to the other one. */
  lobbyTaken(): number {
    this.#losses = [...this.#recent(), this.#parts.clock.now()];
    if (this.#contended === undefined) {
      const count = this.#losses.length;
      if (count < contentionLimits.lobbies) return 0;
      this.#taken(
        'lobby',
        `its lobby was taken over ${count} times within minutes, while its session was fine`,
      );
      // Taken back this once: the other one has to see it, too.
      return 0;
    }
    this.#taken('lobby');
    const { firstPauseMs, longestPauseMs } = contentionLimits;
    // Who knows of us would have left it for longer: this one does not know yet, and has to lose as many.
    const isKnown = this.#parts.clock.now() - this.#lobbySince >= firstPauseMs;
    if (!isKnown) this.#shown += 1;
    if (!isKnown && this.#shown < contentionLimits.lobbies) return 0;
    // After the pause as often again: one that was restarted meanwhile has lost too few to know.
    this.#shown = 0;
    const pause = Math.min(firstPauseMs * 2 ** this.#pauses, longestPauseMs);
    this.#pauses += 1;
    return pause;
  }

  sessionTaken(): void {
    this.#taken('session', 'its session was taken over');
  }

  /** The platform ended it, and not another program: the lobbies that went before may well have gone the same way. */
  sessionFailed(): void {
    if (this.#contended === undefined) this.#losses = [];
  }

  /** Ours again: over once nothing of it has been taken for long enough. */
  held(what: Contested): void {
    if (what === 'lobby') this.#lobbySince = this.#parts.clock.now();
    if (!this.#away.delete(what) || this.#away.size > 0 || this.#contended === undefined) return;
    this.#endLater();
  }

  async stop(): Promise<void> {
    this.#over?.cancel();
    await this.#parts.record.settled();
  }

  #taken(what: Contested, how = ''): void {
    this.#over?.cancel();
    this.#away.add(what);
    const { clock, record, changed } = this.#parts;
    const at = timestampOf(clock.date());
    const isNews = this.#contended === undefined;
    this.#contended ??= {
      reason: `Another program uses the platform account of this farm: ${how}`,
      remedy: oneAccountPerFarm,
      since: at,
    };
    const { reason, since } = this.#contended;
    record.write({ account: this.#account, reason, since, at });
    if (isNews) changed(this.#contended);
  }

  #endLater(): void {
    this.#over?.cancel();
    this.#over = this.#parts.clock.after(contentionLimits.overAfterMs, () => this.#end());
  }

  #end(): void {
    this.#over?.cancel();
    this.#contended = undefined;
    this.#losses = [];
    this.#pauses = 0;
    this.#shown = 0;
    this.#parts.record.write(undefined);
    this.#parts.changed(undefined);
  }

  #recent(): readonly number[] {
    const { clock } = this.#parts;
    return this.#losses.filter((at) => clock.now() - at < contentionLimits.withinMs);
  }
}
