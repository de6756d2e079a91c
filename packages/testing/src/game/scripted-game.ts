import type { Socket } from 'node:net';
import { type CommandName, commands } from '@steward/shared/bridge/commands';
import { helloResult } from '@steward/shared/bridge/hello';
import type { LineStream } from '@steward/shared/bridge/line-stream';
import { askedNames } from '@steward/shared/bridge/methods';
import type { CommandOutcome } from '@steward/shared/bridge/outcome';
import { type Answer, JsonRpcPeer, type Params, trustingLimits } from '@steward/shared/bridge/peer';
import { journalLength, protocolVersion } from '@steward/shared/bridge/protocol';
import type { GameSettings } from '@steward/shared/bridge/settings';
import type { WholeState } from '@steward/shared/bridge/state';
import { type Applied, CommandRunner, type GoOn, type Mood } from './command-runner.ts';
import { emptyFarm } from './empty-farm.ts';
import type { OtherFarms } from './farms.ts';
import { type Fault, withWireFault } from './faults.ts';

const clock = {
  now: () => performance.now(),
  after: (ms: number, action: () => void) => {
    const timer = setTimeout(action, ms);
    return { cancel: () => clearTimeout(timer) };
  },
};

/** All that a game can be told and asked. */
const everything: readonly string[] = [...Object.keys(commands), ...askedNames];

export interface ScriptedGameParts {
  readonly state?: WholeState;
  readonly name?: string;
  /** All commands that there are, where it is not said. */
  readonly capabilities?: readonly string[];
  readonly secret?: string | undefined;
  /** How often it says that its loop runs; only when it is told to, without. */
  readonly tickMs?: number;
  /** What its journal says of a command that it does not have. */
  readonly otherwise?: 'absent' | 'working';
  readonly journal?: ReadonlyMap<string, CommandOutcome>;
  readonly fault?: Fault | undefined;
}

/**
 * A game in memory that keeps the bridge's rules, over any stream and one connection after the other. A test sets its mood and its
 * state; a fault has it break one rule on purpose.
 */
export class ScriptedGame {
  state: WholeState;
  mood: Mood = 'willing';
  /** What it was told when it said hello for the first time. */
  settings: GameSettings | undefined;
  /** The commands that it was sent, in their order. */
  readonly heard: CommandName[] = [];
  /** The lines that it was told to show. */
  readonly said: Params[] = [];
  /** What it has claimed, not applied, and said nothing more of: each says then what became of it, or why nothing did. */
  readonly held: GoOn[] = [];
  /** Those that it has and does not play. */
  readonly otherFarms: OtherFarms = new Map();
  /** The outcome of each command that it has applied. */
  readonly journal: Map<string, CommandOutcome>;
  readonly #parts: ScriptedGameParts;
  #runner: CommandRunner | undefined;
  #peer: JsonRpcPeer | undefined;
  #connections = 0;
  #ticks = 0;

  constructor(parts: ScriptedGameParts = {}) {
    this.#parts = parts;
    this.state = parts.state ?? emptyFarm();
    this.journal = new Map(parts.journal);
  }

  /** Says hello, and when that is answered all there is to say; resolves to the answer. */
  connect(stream: LineStream, ended: () => void = () => {}): Promise<Answer> {
    const { fault, name = 'Scripted game', secret, capabilities = everything } = this.#parts;
    let ticking: NodeJS.Timeout | undefined;
    const leftOver = this.#runner?.leftOver ?? [];
    const runner = this.#newRunner(capabilities);
    const peer = new JsonRpcPeer(withWireFault(stream, fault), {
      other: 'the control API',
      limits: trustingLimits,
      clock,
      handlers: {
        request: (request) => runner.take(request),
        closed: () => {
          clearInterval(ticking);
          runner.drop();
          ended();
        },
      },
    });
    this.#runner = runner;
    this.#peer = peer;
    this.#connections += 1;
    this.#ticks = 0;
    if (fault === 'speaks-before-hello') this.tell(this.state);
    const hello: Record<string, unknown> = {
      protocol: protocolVersion,
      game: { name, version: '1.0.0' },
      capabilities,
      farm: this.state.farm,
    };
    if (secret !== undefined) hello['secret'] = secret;
    const { promise, resolve } = Promise.withResolvers<Answer>();
    peer.request('hello', hello, (answer) => {
      if (answer.kind === 'result' || fault === 'ignores-refusal') {
        if (answer.kind === 'result') this.settings ??= helloResult.safeParse(answer.result).data?.settings;
        this.#begin();
        if (this.#parts.tickMs !== undefined) ticking = setInterval(() => this.tick(), this.#parts.tickMs);
      }
      resolve(answer);
    });
    if (fault === 'claims-after-loss') for (const command of leftOver) void this.ask('claim', { command });
    return promise;
  }

  ask(method: string, params: object): Promise<Answer> {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    this.#peer?.request(method, { ...params }, resolve);
    return promise;
  }

  tell(sections: Partial<WholeState> = this.state): void {
    this.#peer?.tell('state', sections);
  }

  tick(): void {
    const { fault } = this.#parts;
    if (fault === 'no-ticks' || (fault === 'holds-its-loop' && this.#runner?.waiting)) return;
    if (fault !== 'stuck-count') this.#ticks += 1;
    this.#peer?.tell('tick', { count: this.#ticks });
    if (fault === 'malformed-state-later' && this.#ticks === 3) this.#tellMalformed();
  }

  /** Says what has happened, and shows nothing anew. */
  happens(...events: readonly object[]): void {
    for (const event of events) this.#peer?.tell('event', { event });
  }

  /** The effect and its entry in the journal are in the farm as it stands; it is not saved yet, and nobody has been told. */
  protected applied(_applied: Applied): void {}

  #record(applied: Applied): void {
    const { name, command, params, outcome } = applied;
    if (name === 'sendChat' || name === 'announce') this.#show(name, params);
    this.journal.set(command, outcome);
    const [oldest] = this.journal.keys();
    if (this.journal.size > journalLength && oldest !== undefined) this.journal.delete(oldest);
    this.applied(applied);
    const isIgnored = name === 'stop' && this.#parts.fault === 'ignores-stop';
    if (hasSaved(applied) && !isIgnored) this.save();
  }

  #show(name: 'sendChat' | 'announce', params: Params): void {
    this.said.push(params);
    const { message } = params;
    if (this.#parts.fault === (name === 'announce' ? 'tells-announcements' : 'tells-sent-chat'))
      this.happens({ kind: 'chat', playerId: '1', playerName: 'Server', message });
  }

  /** Whoever asked for it has been told. */
  protected told({ name }: Applied): void {
    const { farm, ...others } = this.state;
    const brokenBy = name === 'loadFarm' ? this.#parts.fault : undefined;
    if (brokenBy === 'farm-comes-last') this.tell(others);
    const isAlone = brokenBy === 'farm-comes-last' || brokenBy === 'half-a-farm';
    this.tell(isAlone ? { farm } : this.state);
  }

  save(): void {
    if (this.state.farm !== null) this.state.farm.saveGeneration += 1;
  }

  #begin(): void {
    const { fault } = this.#parts;
    const { networks: _left, ...most } = this.state;
    if (fault === 'partial-state') this.tell(most);
    else if (fault === 'malformed-state') this.#tellMalformed();
    else if (fault === 'malformed-state-later') this.tell({ farm: this.state.farm });
    else if (fault !== 'half-a-state-later' || this.#connections === 1) this.tell(this.state);
    this.tick();
  }

  #tellMalformed(): void {
    this.#peer?.tell('state', { ...this.state, status: { day: 'Monday' } });
  }

  #newRunner(capabilities: readonly string[]): CommandRunner {
    const { fault, otherwise = 'absent' } = this.#parts;
    return new CommandRunner({
      capabilities,
      fault,
      otherwise,
      state: () => this.state,
      otherFarms: this.otherFarms,
      mood: () => this.mood,
      journal: this.journal,
      heard: (name) => this.heard.push(name),
      held: (goOn) => this.held.push(goOn),
      claim: (command, answered) => this.#peer?.request('claim', { command }, answered),
      applied: (applied) => this.#record(applied),
      told: (applied) => this.told(applied),
    });
  }
}

/** Somebody who plays keeps a game from it, also one that is told to stop. */
function hasSaved({ name, outcome }: Applied): boolean {
  if (name !== 'save' && name !== 'stop') return false;
  return (
    outcome.outcome === 'applied' && outcome.before['saveGeneration'] !== outcome.after['saveGeneration']
  );
}

export function overSocket(socket: Socket): LineStream {
  return { input: socket, output: socket, close: () => socket.end() };
}
