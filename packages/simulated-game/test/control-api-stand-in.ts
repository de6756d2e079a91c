import { createInterface } from 'node:readline';
import type { Duplex } from 'node:stream';
import { type Command, commands } from '@steward/shared/bridge/commands';
import { type GameEvent, gameEvent } from '@steward/shared/bridge/events';
import { notificationsOfGame, requestsOfGame } from '@steward/shared/bridge/methods';
import { type CommandOutcome, commandOutcome } from '@steward/shared/bridge/outcome';
import type { GameSettings } from '@steward/shared/bridge/settings';
import type { StateParams, WholeState } from '@steward/shared/bridge/state';
import type { Parsed } from '@steward/shared/parsed';
import { testSettings } from './test-farm.ts';
import { TownHall } from './town-hall.ts';

type Message = Record<string, unknown> & { params?: unknown };

/**
 * The other end of the bridge, for tests. Whatever the farm sends must be valid by the wire's schemas; questions go to
 * a town hall, and claims are granted unless a test says otherwise.
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
  readonly #stream: Duplex;
  readonly #settings: GameSettings;
  readonly #answers = new Map<string, (message: Message) => void>();
  readonly #waiting = new Set<() => void>();
  #lastId = 0;

  constructor(stream: Duplex, settings: GameSettings = testSettings) {
    this.#stream = stream;
    this.#settings = settings;
    stream.on('error', () => {});
    const lines = createInterface({ input: stream }).on('error', () => {});
    lines.on('line', (line) => {
      this.#take(JSON.parse(line) as Message);
      for (const look of [...this.#waiting]) look();
    });
  }

  /** Sends a request and gives back what came, whatever it was. */
  async ask(method: string, params: object): Promise<Message> {
    this.#lastId += 1;
    const id = String(this.#lastId);
    const { promise, resolve } = Promise.withResolvers<Message>();
    this.#answers.set(id, resolve);
    this.#write({ jsonrpc: '2.0', id, method, params });
    return promise;
  }

  async command<Name extends Command['name']>(
    name: Name,
    command: string,
    params: Extract<Command, { name: Name }>['params'],
  ): Promise<CommandOutcome> {
    const { result } = await this.ask(name, { ...params, command });
    const outcome = commandOutcome.parse(result);
    if (outcome.outcome === 'applied') {
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
    this.#stream.destroy();
  }

  #take(message: Message): void {
    const { id, method } = message;
    if (typeof method !== 'string') this.#answers.get(String(id))?.(message);
    else if (id === undefined) this.#notified(method, message.params);
    else this.#asked(String(id), method, message.params);
  }

  #notified(method: string, params: unknown): void {
    this.log.push(method);
    if (method === 'event')
      this.events.push(gameEvent.parse(notificationsOfGame.event.params.parse(params).event));
    else if (method === 'tick') this.ticks = notificationsOfGame.tick.params.parse(params).count;
    else Object.assign(this.state, notificationsOfGame.state.params.parse(params) satisfies StateParams);
  }

  #asked(id: string, method: string, params: unknown): void {
    this.log.push(method);
    const answer = (given: Parsed<unknown>, result: (value: unknown) => unknown) =>
      this.#write(
        given.ok
          ? { jsonrpc: '2.0', id, result: result(given.value) }
          : { jsonrpc: '2.0', id, error: { code: -32006, message: given.reason } },
      );
    const questions: Record<string, () => void> = {
      hello: () => {
        this.hello = requestsOfGame.hello.params.parse(params);
        const service = { name: 'stand-in', version: '1.0.0' };
        const result = { protocol: { major: 1, minor: 0 }, service, settings: this.#settings };
        answer({ ok: true, value: result }, (value) => value);
      },
      claim: () => {
        this.claims.push(requestsOfGame.claim.params.parse(params).command);
        const result = this.grants ? { granted: true } : { granted: false, reason: 'nobody waits for it' };
        answer({ ok: true, value: result }, (value) => value);
      },
      mayJoin: () =>
        this.hall.mayJoin(requestsOfGame.mayJoin.params.parse(params), (given) =>
          answer(given, (decision) => ({ decision, reason: 'so it stands in the book' })),
        ),
      visibleSlots: () =>
        this.hall.visibleSlots(requestsOfGame.visibleSlots.params.parse(params), (given) =>
          answer(given, (farmhandIds) => ({ farmhandIds })),
        ),
      lobbyVisibility: () =>
        this.hall.lobbyVisibility(requestsOfGame.lobbyVisibility.params.parse(params), (given) =>
          answer(given, (visibility) => ({ visibility })),
        ),
      appTicket: () => this.hall.appTicket((given) => answer(given, (ticket) => ticket)),
    };
    questions[method]?.();
  }

  #write(document: object): void {
    this.#stream.write(`${JSON.stringify(document)}\n`);
  }
}
