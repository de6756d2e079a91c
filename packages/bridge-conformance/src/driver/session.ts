import { type CommandName, commands, isCommandName } from '@steward/shared/bridge/commands';
import { isGameEventKind } from '@steward/shared/bridge/events';
import { type FarmIdentity, type HelloParams, helloParams } from '@steward/shared/bridge/hello';
import type { Line } from '@steward/shared/bridge/line-splitter';
import { type AskedName, notificationsOfGame, requestsOfGame } from '@steward/shared/bridge/methods';
import {
  type AppliedOutcome,
  type CommandOutcome,
  commandOutcome,
  refusalCodes,
} from '@steward/shared/bridge/outcome';
import { frameLimitBytes, protocolVersion } from '@steward/shared/bridge/protocol';
import { firstIssue, parseRpcMessage, type RpcMessage } from '@steward/shared/bridge/rpc-message';
import { defaultSettings, type GameSettings } from '@steward/shared/bridge/settings';
import type { StateParams } from '@steward/shared/bridge/state';
import { platformAccountRange } from '@steward/shared/ids';
import { refused } from '@steward/shared/parsed';
import { lobbyVisibility } from '@steward/shared/wire-values';
import { isMeantAsMessage, JsonLines, mayBeHello } from '../wire/json-lines.ts';
import type { Streams } from './bench.ts';
import { NotChecked, type Patience, RuleBroken, Watch } from './patience.ts';

/** What a game under test is given to start from. */
const settings: GameSettings = {
  game: { ...defaultSettings.game, farmName: 'Conformance', startingCabins: 2 },
  server: { ...defaultSettings.server, maxPlayers: 4 },
};

type Params = Readonly<Record<string, unknown>>;
export type ClaimAnswer = 'grant' | 'deny' | 'silence';

export interface RpcAnswer {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** One connection with the game under test. Everything it says is checked against the schemas and kept. */
export class Session {
  readonly watch = new Watch();
  readonly patience: Patience;
  readonly lines: JsonLines;
  /** What came in another form than the page says. */
  readonly malformed: string[] = [];
  readonly methods: string[] = [];
  readonly claims: string[] = [];
  readonly tickCounts: number[] = [];
  readonly complaints: unknown[] = [];
  /** What players are told to have said. */
  readonly chat: string[] = [];
  state: StateParams = {};
  hello: HelloParams | undefined;
  /** The first thing that cannot be read and may have been meant as `hello`. */
  badHello: string | undefined;
  answerClaim: (command: string) => ClaimAnswer = () => 'grant';
  readonly #strayLines: boolean;
  readonly #ticket: string | undefined;
  readonly #answers = new Map<string, RpcAnswer>();
  /** By the request that gave it, the name of each command that was sent. */
  readonly #commandNames = new Map<string, CommandName>();
  readonly #claimRequests = new Map<string, string>();
  #requests = 0;
  #helloId: string | undefined;
  /** That of the last `state` that named one. */
  #farmId: string | undefined;

  constructor(streams: Streams, patience: Patience, ticket?: string) {
    this.#ticket = ticket;
    this.patience = patience;
    this.#strayLines = streams.strayLines;
    this.lines = new JsonLines(streams, {
      line: (line) => {
        this.#read(line);
        this.watch.changed();
      },
      ended: () => this.watch.changed(),
    });
  }

  /** Waits for what must come; otherwise the rule is broken, and `missing` says how. */
  async until(condition: () => boolean, missing: string, ms = this.patience.comesMs): Promise<void> {
    await this.watch.holds(() => condition() || this.lines.ended, ms);
    if (condition()) return;
    throw new RuleBroken(
      this.lines.ended ? `${missing}: the game closed the connection` : `${missing} within ${ms} ms`,
    );
  }

  /** Watches for what must not come. */
  async never(condition: () => boolean, happened: string): Promise<void> {
    if (await this.watch.holds(condition, this.patience.staysAwayMs)) throw new RuleBroken(happened);
  }

  async heardHello(ms: number): Promise<HelloParams> {
    const isOver = () => this.hello !== undefined || this.badHello !== undefined;
    await this.until(isOver, 'no hello came', ms);
    if (this.hello === undefined) throw new RuleBroken(`hello cannot be read: ${this.badHello}`);
    return this.hello;
  }

  welcome(): void {
    const result = {
      protocol: protocolVersion,
      service: { name: 'bridge-conformance', version: '1.0.0' },
      settings,
    };
    this.lines.send({ jsonrpc: '2.0', id: this.#helloId, result });
  }

  refuse(code: number, message: string): void {
    this.lines.send({ jsonrpc: '2.0', id: this.#helloId, error: { code, message } });
  }

  /** Sends a request and gives its id. */
  send(method: string, params: Params): string {
    this.#requests += 1;
    const id = this.#requests.toString();
    if (isCommandName(method)) this.#commandNames.set(id, method);
    this.lines.send({ jsonrpc: '2.0', id, method, params });
    return id;
  }

  answered(id: string): boolean {
    return this.#answers.has(id);
  }

  async answer(id: string, what: string, ms = this.patience.comesMs): Promise<RpcAnswer> {
    await this.until(() => this.answered(id), `${what} was not answered`, ms);
    return this.#answers.get(id) ?? {};
  }

  /** Refused for the moment, a command tells nothing of its rule: the game may be ending a day, or saving. */
  async outcome(id: string, what: string): Promise<CommandOutcome> {
    const name = this.#commandNames.get(id);
    const ms = Math.max(this.patience.comesMs, name === undefined ? 0 : commands[name].outcomeMs);
    const { result, error } = await this.answer(id, what, ms);
    const parsed = commandOutcome.safeParse(result);
    if (!parsed.success) {
      const given =
        error === undefined ? JSON.stringify(result) : `the error ${error.code}: ${error.message}`;
      throw new RuleBroken(`${what} was answered with ${given}, which is no outcome`);
    }
    const { data } = parsed;
    if (data.outcome === 'refused' && refusalCodes[data.code].transient)
      throw new NotChecked(`${what} ended ${JSON.stringify(data)}; try again`);
    if (name !== undefined && data.outcome === 'applied') checkChange(name, data, name);
    return data;
  }

  /** Waits for the claim of a command; one that ends without it was not to end yet. */
  async claimed(id: string, command: string, what: string): Promise<void> {
    const isClaimed = () => this.claims.includes(command);
    const ms = this.patience.limits.claim;
    await this.until(() => isClaimed() || this.answered(id), 'no claim came', ms);
    if (isClaimed()) return;
    const { outcome } = await this.outcome(id, what);
    throw new RuleBroken(`${what} ended ${outcome} without a claim`);
  }

  /** Grants a claim that was met with silence, late. */
  grant(command: string): void {
    this.#answerClaim(command, { granted: true });
  }

  deny(command: string): void {
    this.#answerClaim(command, { granted: false, reason: 'denied by this test' });
  }

  /** The farm that is loaded, by what the game said last. */
  get farm(): FarmIdentity | undefined {
    const { farm = this.hello?.farm } = this.state;
    return farm ?? undefined;
  }

  can(command: CommandName | AskedName): boolean {
    return this.hello?.capabilities.includes(command) === true;
  }

  #read(line: Line): void {
    if (line.kind === 'over-limit') {
      // It ends the game for the control API, whatever it was.
      this.#found(`a line is longer than ${frameLimitBytes} bytes`);
      return;
    }
    const { kind, text } = line;
    const parsed = kind === 'not-utf8' ? refused('is not UTF-8') : parseRpcMessage(text);
    if (parsed.ok) this.#take(parsed.value);
    else if (!this.#strayLines || isMeantAsMessage(text, parsed.reason))
      this.#found(`a line ${parsed.reason}: ${text.slice(0, 200)}`, !this.#strayLines || mayBeHello(text));
  }

  #found(malformed: string, isOfHello = true): void {
    this.malformed.push(malformed);
    if (isOfHello) this.badHello ??= malformed;
  }

  #take({ kind, message }: RpcMessage): void {
    if (kind === 'result') this.#answers.set(message.id, { result: message.result });
    else if (kind === 'failure') this.#failed(message.id, message.error);
    else if (kind === 'request') this.#asked(message.id, message.method, message.params ?? {});
    else this.#told(message.method, message.params ?? {});
  }

  #failed(id: string | null, error: { code: number; message: string }): void {
    if (id === null) this.complaints.push(error);
    else this.#answers.set(id, { error });
  }

  #asked(id: string, method: string, params: Params): void {
    this.methods.push(method);
    if (!Object.hasOwn(requestsOfGame, method)) {
      this.lines.send({ jsonrpc: '2.0', id, error: { code: -32601, message: `there is no ${method}` } });
      return;
    }
    this.#check(method, requestsOfGame[method as keyof typeof requestsOfGame].params.safeParse(params));
    if (method === 'hello') this.#hello(id, params);
    else if (method === 'claim') this.#claim(id, String(params['command']));
    else this.lines.send({ jsonrpc: '2.0', id, ...questionAnswer(method, params, this.#ticket) });
  }

  #told(method: string, params: Params): void {
    this.methods.push(method);
    if (!Object.hasOwn(notificationsOfGame, method)) return;
    const event = params['event'] as { kind?: unknown; message?: unknown } | undefined;
    if (method === 'event' && !isGameEventKind(event?.kind)) return;
    const { params: form } = notificationsOfGame[method as keyof typeof notificationsOfGame];
    // The control API drops it, too.
    if (!this.#check(method, form.safeParse(params))) return;
    if (event?.kind === 'chat') this.chat.push(String(event.message));
    if (method === 'state') this.#toldState(params as StateParams);
    if (method === 'tick') this.tickCounts.push(Number(params['count']));
  }

  /** What came before is of the farm before, where this names another: the control API forgets it, too. */
  #toldState(sections: StateParams): void {
    const before = this.#farmId;
    this.#farmId = sections.farm?.farmId ?? before;
    const isOfAnother = before !== undefined && before !== this.#farmId;
    this.state = isOfAnother ? sections : { ...this.state, ...sections };
  }

  #hello(id: string, params: Params): void {
    this.#helloId = id;
    this.hello = helloParams.safeParse(params).data;
  }

  #claim(id: string, command: string): void {
    this.claims.push(command);
    this.#claimRequests.set(command, id);
    const answer = this.answerClaim(command);
    if (answer === 'grant') this.grant(command);
    else if (answer === 'deny') this.deny(command);
  }

  #answerClaim(command: string, result: object): void {
    this.lines.send({ jsonrpc: '2.0', id: this.#claimRequests.get(command), result });
  }

  /** Whether it can be read. */
  #check(method: string, { error }: { error?: Parameters<typeof firstIssue>[0] }): boolean {
    if (error !== undefined) this.#found(`${method} is malformed: ${firstIssue(error)}`);
    return error === undefined;
  }
}

/** The control API cannot read an outcome whose `before` or `after` has another form than its command. */
export function checkChange(name: CommandName, { before, after }: AppliedOutcome, what: string): void {
  for (const [member, told] of Object.entries({ before, after })) {
    const { error } = commands[name].change.safeParse(told);
    if (error !== undefined)
      throw new RuleBroken(`\`${member}\` of ${what} is malformed: ${firstIssue(error)}`);
  }
}

const noTicket = {
  error: { code: -32006, message: 'a test without --ticket has no app ticket; ask again in 30 seconds' },
};

/** Whose the ticket is stands encrypted in it; a game that signs in reads it from nowhere else. */
const somePlatformId = platformAccountRange.min.toString();

/** The four questions as a farm open to all would answer them; a ticket is to be had when the test was given one. */
function questionAnswer(
  method: string,
  params: Readonly<Record<string, unknown>>,
  ticket: string | undefined,
): object {
  switch (method) {
    case 'mayJoin':
      return { result: { decision: 'allow', reason: 'the test lets everybody in' } };
    case 'visibleSlots': {
      const slots = Array.isArray(params['slots']) ? (params['slots'] as { id: string }[]) : [];
      return { result: { farmhandIds: slots.map(({ id }) => id) } };
    }
    case 'lobbyVisibility':
      return { result: { visibility: lobbyVisibility } };
    default:
      return ticket === undefined ? noTicket : { result: { ticket, platformId: somePlatformId } };
  }
}
