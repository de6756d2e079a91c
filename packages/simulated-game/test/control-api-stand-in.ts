import type { Duplex } from 'node:stream';
import { systemClock } from '@steward/service-kit/clock';
import { type Command, commands, isCommandName } from '@steward/shared/bridge/commands';
import { type GameEvent, gameEvent } from '@steward/shared/bridge/events';
import { notificationsOfGame, requestsOfGame } from '@steward/shared/bridge/methods';
import { type CommandOutcome, commandOutcome } from '@steward/shared/bridge/outcome';
import {
  type Answer,
  type IncomingRequest,
  JsonRpcPeer,
  type Params,
  trustingLimits,
} from '@steward/shared/bridge/peer';
import type { GameSettings } from '@steward/shared/bridge/settings';
import type { StateParams, WholeState } from '@steward/shared/bridge/state';
import type { Parsed } from '@steward/shared/parsed';
import { definitionOf, schemaProblems } from '@steward/testing/game/bridge-schema';
import { testSettings } from './test-farm.ts';
import { TownHall } from './town-hall.ts';

/**
 * The other end of the bridge, for tests. Whatever the farm sends must be valid by the wire's schemas, and by the file that authors of
 * games have of them; questions go to a town hall, and claims are granted unless a test says otherwise.
 */
export class ControlApiStandIn {
  readonly hall = new TownHall();
  readonly events: GameEvent[] = [];
  readonly claims: string[] = [];
  readonly log: string[] = [];
  state: Partial<WholeState> = {};
  ticks = 0;
  grants = true;
  hello: unknown;
  readonly #peer: JsonRpcPeer;
  readonly #settings: GameSettings;
  readonly #waiting = new Set<() => void>();

  constructor(stream: Duplex, settings: GameSettings = testSettings) {
    this.#settings = settings;
    this.#peer = new JsonRpcPeer(
      { input: stream, output: stream, close: () => stream.destroy() },
      {
        other: 'the farm',
        limits: trustingLimits,
        clock: systemClock,
        log: {
          warn: (facts, text) => {
            throw new Error(`${text}: ${JSON.stringify(facts)}`);
          },
        },
        handlers: {
          request: (request) => this.#look(() => this.#asked(request)),
          notification: (method, params) => this.#look(() => this.#notified(method, params)),
          closed: () => {},
        },
      },
    );
  }

  /** The result; throws what the farm objects. */
  async ask(method: string, params: Params): Promise<unknown> {
    const answer = await new Promise<Answer>((resolve) => {
      this.#peer.request(method, params, resolve);
    });
    if (answer.kind !== 'result') throw new Error(`the farm did not answer ${method}: ${answer.message}`);
    if (!isCommandName(method)) mustFit(definitionOf(method, 'Result'), answer.result);
    return answer.result;
  }

  async command<Name extends Command['name']>(
    name: Name,
    command: string,
    params: Extract<Command, { name: Name }>['params'],
  ): Promise<CommandOutcome> {
    const given: Params = { ...params, command };
    mustFit(definitionOf(name, 'Params'), given);
    const outcome = commandOutcome.parse(await this.ask(name, given));
    mustFit('CommandOutcome', outcome);
    if (outcome.outcome === 'applied') {
      mustFit(definitionOf(name, 'Change'), outcome.before);
      mustFit(definitionOf(name, 'Change'), outcome.after);
      commands[name].change.parse(outcome.before);
      commands[name].change.parse(outcome.after);
    }
    return outcome;
  }

  /** Waits until what has come satisfies the test. */
  async until<T>(look: () => T | undefined | false): Promise<T> {
    const { promise, resolve } = Promise.withResolvers<T>();
    const again = () => {
      const found = look();
      if (found === undefined || found === false) return;
      this.#waiting.delete(again);
      resolve(found);
    };
    this.#waiting.add(again);
    again();
    return promise;
  }

  async wholeState(): Promise<WholeState> {
    const sections = 8;
    return this.until(() => Object.keys(this.state).length === sections && (this.state as WholeState));
  }

  end(): void {
    this.#peer.close('the stand-in has ended');
  }

  /** Takes what has come, and lets those look who wait for it. */
  #look(take: () => void): void {
    take();
    for (const look of [...this.#waiting]) look();
  }

  #notified(method: string, params: unknown): void {
    this.log.push(method);
    mustFit(definitionOf(method, 'Params'), params);
    if (method === 'event')
      this.events.push(gameEvent.parse(notificationsOfGame.event.params.parse(params).event));
    else if (method === 'tick') this.ticks = notificationsOfGame.tick.params.parse(params).count;
    else Object.assign(this.state, notificationsOfGame.state.params.parse(params) satisfies StateParams);
  }

  #asked({ method, params, reply, refuse }: IncomingRequest): void {
    this.log.push(method);
    mustFit(definitionOf(method, 'Params'), params);
    const answer = <T>(given: Parsed<T>, result: (value: T) => object) => {
      if (given.ok) reply(result(given.value));
      else refuse('noTicket', given.reason);
    };
    const questions: Record<string, () => void> = {
      hello: () => {
        this.hello = requestsOfGame.hello.params.parse(params);
        const service = { name: 'stand-in', version: '1.0.0' };
        const result = { protocol: { major: 1, minor: 0 }, service, settings: this.#settings };
        reply(result);
      },
      claim: () => {
        this.claims.push(requestsOfGame.claim.params.parse(params).command);
        const result = this.grants ? { granted: true } : { granted: false, reason: 'nobody waits for it' };
        reply(result);
      },
      mayJoin: () =>
        this.hall.mayJoin(requestsOfGame.mayJoin.params.parse(params), (given) =>
          answer(given, (decided) => ({ ...decided, reason: 'so it stands in the book' })),
        ),
      visibleSlots: () =>
        this.hall.visibleSlots(requestsOfGame.visibleSlots.params.parse(params), (given) =>
          answer(given, (shown) => shown),
        ),
      lobbyVisibility: () =>
        this.hall.lobbyVisibility(requestsOfGame.lobbyVisibility.params.parse(params), (given) =>
          answer(given, (visibility) => ({ visibility })),
        ),
      appTicket: () => this.hall.appTicket((given) => answer(given, (ticket) => ticket)),
    };
    questions[method]?.();
  }
}

function mustFit(definition: string, value: unknown): void {
  const problems = schemaProblems(definition, value);
  if (problems !== '') throw new Error(problems);
}
