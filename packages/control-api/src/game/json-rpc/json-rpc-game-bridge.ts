import type { Command } from '@steward/shared/bridge/commands';
import type { HelloParams, HelloResult } from '@steward/shared/bridge/hello';
import type { AskedName, AskedResult } from '@steward/shared/bridge/methods';
import { JsonRpcPeer, type Params } from '@steward/shared/bridge/peer';
import { protocolVersion } from '@steward/shared/bridge/protocol';
import { Problem } from '@steward/shared/problems/problem';
import type { MendableTrouble, Trouble } from '@steward/shared/problems/trouble';
import { returnMs } from '../awaited.ts';
import { BridgeCore, type CoreParts } from '../bridge-core.ts';
import { eventOfCrash, eventOfGame, eventOfLink } from '../bridge-events.ts';
import type { GameBridge, GameHolder } from '../game-bridge.ts';
import { gameRunning } from '../game-unavailable.ts';
import type { BridgeMode, GameStream, ModeEvents } from '../modes/mode.ts';
import type { RunOptions } from '../operations/game-commands.ts';
import type { CommandResult } from '../operations/operation.ts';
import { answer, RpcFault } from '../questions/answering.ts';
import type { GameQuestions } from '../questions/game-questions.ts';
import type { TickState } from '../state/bridge-state.ts';
import type { TickPace } from '../state/tick-meter.ts';
import { GameSession, readHello } from './game-session.ts';

export interface BridgeParts extends CoreParts {
  readonly mode: BridgeMode;
  readonly questions: GameQuestions;
  readonly version: string;
}

/** The bridge over JSON-RPC: one game at a time, whichever way its stream comes. */
export class JsonRpcGameBridge extends BridgeCore {
  readonly #parts: BridgeParts;
  readonly #peers = new Set<JsonRpcPeer>();
  /** Holds the place from its `hello` on; the link is the same session once it has been answered. */
  #session: GameSession | undefined;
  #link: GameSession | undefined;
  #stopping = false;
  /** Why no game is let in, by who holds it away; whoever said so last, last. */
  readonly #holders = new Map<GameHolder, MendableTrouble>();
  /** Which game that somebody else started has said last, while it was held away, that it has a farm: it may save that later. */
  #runsOn: { readonly name: string; readonly at: number } | undefined;
  /** Why the last stream was given up, where it did not end by itself. */
  #givenUp: string | undefined;
  /** Why the last connection did not become a game, as the log says since a game was let in. */
  #toldNone: string | undefined;

  constructor(parts: BridgeParts) {
    super(parts, { ...parts.mode.initial, keepsJournal: true });
    this.#parts = parts;
  }

  async start(): Promise<void> {
    this.isStarted = true;
    await this.operations.load();
    await this.#parts.mode.start({
      stream: (stream) => this.#accept(stream),
      report: (status, reason, remedy) => this.#report(status, { reason, remedy }),
    });
  }

  async stop(): Promise<void> {
    if (this.#stopping) return;
    this.#stopping = true;
    await this.#parts.mode.stop(() => this.#askToStop());
    for (const peer of [...this.#peers]) peer.close('the control API is stopping');
    this.sayStopping();
    await this.operations.close();
  }

  async holdGame(holder: GameHolder, why: MendableTrouble): Promise<void> {
    const { clock, mode } = this.#parts;
    if (mode.hold === undefined) {
      if (this.#isFrozen) await this.#session?.endIfVanished();
      if (this.#session !== undefined) throw gameRunning(`${this.#gameName} is connected`);
    }
    this.#holders.delete(holder);
    this.#holders.set(holder, why);
    await mode.hold?.(() => this.#askToStop());
    // It may have been given back before it was gone.
    this.#sayAway();
    const other = holder === 'restore' ? this.#runsOn : undefined;
    if (other !== undefined && clock.now() - other.at < returnMs)
      throw gameRunning(`${other.name} has a farm loaded`);
  }

  giveGameBack(holder: GameHolder): boolean {
    const wasHeld = this.#holders.delete(holder);
    if (this.#away === undefined) this.#runsOn = undefined;
    // Of one that is still on its way out, whoever waits for that says so.
    if (this.#away !== undefined && this.#session === undefined) this.#sayAway();
    if (wasHeld && this.#away === undefined && !this.#stopping) {
      const { mode } = this.#parts;
      if (mode.giveBack === undefined) this.say('waiting', { reason: mode.initial.why });
      else mode.giveBack();
    }
    return this.#away === undefined;
  }

  get startsGame(): boolean {
    return this.#parts.mode.hold !== undefined;
  }

  get output(): GameBridge['output'] {
    return this.#parts.mode.output?.lines;
  }

  get ticks(): TickState {
    const heartbeat = this.#session?.heartbeat;
    if (heartbeat?.count === undefined) return {};
    return { count: heartbeat.count, ageMs: heartbeat.age };
  }

  takePace(): TickPace | undefined {
    return this.#session?.heartbeat.takePace();
  }

  /** A game pushes whatever changes, so that all of it is as new as its last word. */
  pushedAt(): Date | undefined {
    return this.keeper.state.pushedAt;
  }

  run(command: Command, options: RunOptions = {}): Promise<CommandResult> {
    // Whoever asks a game that stands still waits for what comes of it.
    if (options.alsoIfFrozen === true && this.#isFrozen) void this.#link?.endIfVanished();
    return this.commands.run(command, this.#link, options);
  }

  async ask<Name extends AskedName>(name: Name): Promise<AskedResult<Name>> {
    const { status, reason } = this.keeper.state.link;
    if (this.#link === undefined) throw this.notNow(`No game is connected: ${reason}`);
    if (!this.#link.capabilities.has(name))
      throw new Problem('not-supported-by-game', `The connected game has no ${name}`);
    if (status === 'frozen') throw this.notNow(`The game is frozen: ${reason}`);
    const told = await this.#link.ask(name);
    if (told.kind === 'cannot') throw new Problem('command-failed', `The game cannot: ${told.why}`);
    if (told.kind === 'nothing') throw this.notNow(told.why);
    return told.result;
  }

  #accept(stream: GameStream): void {
    const { clock, limits, log } = this.#parts;
    let session: GameSession | undefined;
    let refusal = 'the game was refused';
    const helloTimer = clock.after(stream.helloMs, () => peer.close(`no hello within ${stream.helloMs} ms`));
    const find = async (method: string, params: Params) => {
      if (session !== undefined) return session.request(method, params);
      try {
        session = this.#open(method, params, stream, peer);
      } catch (error) {
        refusal = `the game was refused: ${error instanceof Error ? error.message : error}`;
        throw error;
      }
      // Only now: whoever is told the settings is taken to have them.
      return this.#helloAnswer();
    };
    const answered = () => {
      helloTimer.cancel();
      if (session === undefined) peer.close(refusal);
      else if (session !== this.#link) this.#welcome(session, stream);
    };
    const peer: JsonRpcPeer = new JsonRpcPeer(stream, {
      other: 'the game',
      clock,
      limits,
      log,
      from: stream.from,
      strayLine: stream.strayLine,
      handlers: {
        request: async (request) => {
          await answer(request, find, log);
          answered();
        },
        notification: (method, params) => session?.notification(method, params),
        // There are as many claims as commands in hand, and a burst of them must keep no player out.
        counts: (method) => method !== 'claim',
        closed: (why, by) => {
          helloTimer.cancel();
          this.#peers.delete(peer);
          this.#givenUp = by === 'us' ? why : undefined;
          if (session !== undefined) return this.#lost(session, why);
          // One that is refused dials again every few seconds, all night if it has to.
          const level = why === this.#toldNone ? 'debug' : 'warn';
          this.#toldNone = why;
          log[level]({ from: stream.from }, `a connection did not become a game: ${why}`);
        },
      },
    });
    this.#peers.add(peer);
  }

  #open(method: string, params: Params, stream: GameStream, peer: JsonRpcPeer): GameSession {
    const { secret, canVanish = false } = stream;
    const { clock, limits, log, questions } = this.#parts;
    if (method !== 'hello') throw new RpcFault('helloFirst', 'Say hello first; see docs/game-bridge.md');
    const hello = readHello(params, secret);
    this.#refuseSecond(hello);
    this.#session = new GameSession(hello, peer, {
      clock,
      limits,
      log,
      questions,
      canVanish,
      claim: (id, link) => this.commands.claim(id, link),
      state: (sections) => {
        this.keeper.push(sections);
        if (sections.farm !== undefined) this.settlement.look();
      },
      event: (event) => this.events.append(eventOfGame(event)),
      pace: (pace, why) => this.paced(pace, why),
    });
    return this.#session;
  }

  #helloAnswer(): HelloResult {
    const { version, questions } = this.#parts;
    const service = { name: 'steward', version };
    return { protocol: protocolVersion, service, settings: questions.settings() };
  }

  /** The answer to `hello` is written: from here on the game can be spoken to. */
  #welcome(session: GameSession, { from }: GameStream): void {
    if (session !== this.#session) return;
    this.#link = session;
    this.#toldNone = undefined;
    const { game, farm } = session.hello;
    const why = `${game.name} ${game.version} is connected`;
    this.#parts.log.info({ from, farm }, why);
    this.welcome(session.hello, why);
    this.settlement.connected(session);
  }

  get #away(): MendableTrouble | undefined {
    return [...this.#holders.values()].at(-1);
  }

  #sayAway(): void {
    const why = this.#away;
    const { status, reason } = this.keeper.state.link;
    if (why === undefined || this.#stopping) return;
    if (status !== 'stopped' || reason !== why.reason) this.say('stopped', why);
  }

  #refuseSecond({ game, farm }: HelloParams): void {
    if (this.#stopping) throw new RpcFault('anotherGame', 'The control API is stopping; connect again later');
    const away = this.#away;
    if (farm !== undefined && !this.startsGame && away !== undefined)
      this.#runsOn = { name: `${game.name} ${game.version}`, at: this.#parts.clock.now() };
    if (away !== undefined)
      throw new RpcFault('anotherGame', `No game can connect now: ${away.reason}; connect again later`);
    if (this.#session === undefined) return;
    const { link } = this.keeper.state;
    // Whoever is refused comes again soon, and has the place by then if nobody answers for it.
    if (this.#isFrozen) void this.#session.endIfVanished();
    throw new RpcFault(
      'anotherGame',
      `Another game is connected (${this.#gameName}, ${link.status} since ${link.since.toISOString()}): stop that one first`,
    );
  }

  get #isFrozen(): boolean {
    return this.keeper.state.link.status === 'frozen';
  }

  get #gameName(): string {
    const { game } = this.keeper.state;
    return `${game?.game.name} ${game?.game.version}`;
  }

  #lost(session: GameSession, why: string): void {
    session.ended();
    this.#session = undefined;
    this.#link = undefined;
    this.settlement.connected(undefined);
    this.commands.connectionLost(session, why);
    // Of one that was asked to go it is said why it is away.
    if (this.#stopping || this.#away !== undefined) return;
    const { afterLoss } = this.#parts.mode;
    // How a game that is started here has ended comes with the end of its process.
    if (afterLoss === 'restarting') this.stand(afterLoss, { reason: why });
    else this.say(afterLoss, { reason: why });
  }

  #report(status: Parameters<ModeEvents['report']>[0], { reason, remedy }: Trouble): void {
    if (this.#session !== undefined || this.#stopping || this.#away !== undefined) return;
    const why = this.#givenUp;
    const trouble = { reason: why === undefined ? reason : `${why}; ${reason}`, remedy };
    if (status !== 'restarting') this.say(status, { reason, remedy });
    else if (why !== undefined) this.say(status, trouble, eventOfLink(status, trouble, 'game.lost'));
    else this.say(status, trouble, eventOfCrash(trouble, this.#parts.mode.output?.lastWords ?? []));
  }

  async #askToStop(): Promise<void> {
    const command = (['stop', 'save'] as const).find((name) => this.#link?.capabilities.has(name));
    if (command === undefined) return;
    // One that stands still may be in a long save, and nobody asks it a second time.
    const result = await this.run({ name: command, params: {} }, { alsoIfFrozen: true });
    const state = result.kind === 'operation' ? result.operation.state : result.kind;
    this.#parts.log.info({ state }, `the game was asked to ${command}`);
  }
}
