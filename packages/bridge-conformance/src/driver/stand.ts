import type { CommandOutcome } from '@steward/shared/bridge/outcome';
import type { Bench } from './bench.ts';
import { NotChecked, type Patience, RuleBroken } from './patience.ts';
import { Session } from './session.ts';

/** A change that can be told from any other, so that it shows whether it was ever made. */
export interface Probe {
  readonly name: 'setRenderRate' | 'setTime';
  readonly value: number;
  readonly params: Readonly<Record<string, unknown>>;
}

/** What a rule is checked with: the game as it stands, or anew. */
export class Stand {
  readonly bench: Bench;
  readonly patience: Patience;
  /** What the game gets when it asks for an app ticket. */
  readonly ticket: string | undefined;
  #session: Session | undefined;
  readonly #sessions: Session[] = [];
  /** On which a farm was waited for, and none came: no rule after that waits as long again. */
  #farmless: Session | undefined;
  #commands = BigInt(Date.now()) * 1_000_000n;
  #probes = 0;

  constructor(bench: Bench, patience: Patience, ticket?: string) {
    this.bench = bench;
    this.patience = patience;
    this.ticket = ticket;
  }

  /** A connection on which nothing has been said yet. */
  async fresh(): Promise<Session> {
    if (this.#session !== undefined) await this.drop();
    const streams = await this.bench.next(this.patience.startsMs);
    if (streams === undefined) {
      throw new RuleBroken(
        `the game did not connect to ${this.bench.where} within ${this.patience.startsMs} ms`,
      );
    }
    const session = new Session(streams, this.patience, this.ticket);
    this.#sessions.push(session);
    return session;
  }

  /** A game that dials has loaded before; one that is started here loads first. */
  get helloMs(): number {
    return this.bench.mode === 'listen' ? this.patience.limits.hello : this.patience.startsMs;
  }

  get heardNothing(): boolean {
    return this.#sessions.every(({ methods, badHello }) => methods.length === 0 && badHello === undefined);
  }

  /** What came in another form than the page says, on any connection. */
  get malformed(): readonly string[] {
    return this.#sessions.flatMap(({ malformed }) => malformed);
  }

  /** The present connection if it still lives, else a new one with `hello` answered. */
  async game(): Promise<Session> {
    const present = this.#session;
    if (present !== undefined && !present.lines.ended) {
      present.answerClaim = () => 'grant';
      return present;
    }
    const session = await this.fresh();
    await session.heardHello(this.helloMs);
    session.welcome();
    this.#session = session;
    return session;
  }

  /** The same with a farm loaded: a game may say hello at its title screen, and load one afterwards. */
  async farm(): Promise<Session> {
    const session = await this.game();
    const isOver = () => session.farm !== undefined || session.lines.ended;
    if (session !== this.#farmless) await session.watch.holds(isOver, this.patience.startsMs);
    if (session.farm !== undefined) return session;
    if (session.lines.ended) throw new RuleBroken('the game closed the connection before a farm was loaded');
    this.#farmless = session;
    throw new NotChecked('no farm is loaded');
  }

  async drop(crash = false): Promise<void> {
    this.#session?.lines.end();
    this.#session = undefined;
    await this.bench.drop(crash);
  }

  /** The last connection is of no more use; the next rule begins with a new one. */
  adopt(session: Session): void {
    this.#session = session;
  }

  commandId(): string {
    this.#commands += 1n;
    return this.#commands.toString();
  }

  probe(session: Session): Probe {
    this.#probes += 1;
    if (session.can('setRenderRate')) {
      const value = 1_000 + this.#probes;
      return { name: 'setRenderRate', value, params: { fps: value } };
    }
    if (session.can('setTime')) {
      const value = 1_210 + (this.#probes % 4) * 100;
      return { name: 'setTime', value, params: { value } };
    }
    throw new NotChecked('needs the capability setRenderRate or setTime');
  }

  /** What the game says it was before: a change that was never made cannot stand there. */
  async valueBefore(session: Session): Promise<number> {
    session.answerClaim = () => 'grant';
    const probe = this.probe(session);
    const id = session.send(probe.name, { command: this.commandId(), ...probe.params });
    return before(probe, await session.outcome(id, probe.name));
  }
}

export function before({ name }: Probe, outcome: CommandOutcome): number {
  if (outcome.outcome !== 'applied') {
    throw new RuleBroken(`${name}, granted its claim, ended ${JSON.stringify(outcome)} instead of applied`);
  }
  return Number(outcome.before[name === 'setRenderRate' ? 'fps' : 'timeOfDay']);
}
