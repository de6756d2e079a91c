import type { Clock } from '@steward/service-kit/clock';
import { keyCheck } from '@steward/service-kit/http/bearer';
import type { Log } from '@steward/service-kit/log/logger';
import type { Secret } from '@steward/service-kit/secret';
import { commandId } from '@steward/shared/bridge/commands';
import { eventParams, type GameEvent, isGameEventKind } from '@steward/shared/bridge/events';
import { type HelloParams, helloParams } from '@steward/shared/bridge/hello';
import { type AskedName, type AskedResult, requestsOfControlApi } from '@steward/shared/bridge/methods';
import { type ClaimResult, claimParams, journalEntry, unreadJournal } from '@steward/shared/bridge/outcome';
import type { Answer, JsonRpcPeer, Params } from '@steward/shared/bridge/peer';
import { protocolVersion } from '@steward/shared/bridge/protocol';
import { firstIssue } from '@steward/shared/bridge/rpc-message';
import { type StateParams, stateParams, tickParams } from '@steward/shared/bridge/state';
import { isChatCommand } from '@steward/shared/chat/line';
import type { z } from 'zod';
import type { GameLink, JournalWord } from '../operations/live-operation.ts';
import type { OperationCommandName } from '../operations/operation.ts';
import { RpcFault, readParams } from '../questions/answering.ts';
import { answerQuestion, type GameQuestions, within } from '../questions/game-questions.ts';
import { Heartbeat } from '../state/heartbeat.ts';
import type { BridgeLimits } from '../state/limits.ts';
import type { Pace } from '../state/pace-news.ts';

export interface SessionParts {
  readonly clock: Clock;
  readonly limits: BridgeLimits;
  readonly log: Log;
  readonly questions: GameQuestions;
  readonly canVanish: boolean;
  readonly claim: (id: string, link: GameLink) => Promise<ClaimResult>;
  readonly state: (sections: StateParams) => void;
  readonly event: (event: GameEvent) => void;
  readonly pace: (pace: Pace, why: string) => void;
}

/** What a game tells when it is asked; or that it cannot, in its own words; or why there is nothing to go by. */
export type GameAnswer<Name extends AskedName> =
  | { readonly kind: 'result'; readonly result: AskedResult<Name> }
  | { readonly kind: 'cannot'; readonly why: string }
  | { readonly kind: 'nothing'; readonly why: string };

/** The id of none. */
const noCommand = '0';

/** Of a game's own words on why it cannot. */
const longestWords = 500;

/** One game on one connection, from its `hello` to its end. */
export class GameSession implements GameLink {
  readonly hello: HelloParams;
  readonly capabilities: ReadonlySet<string>;
  readonly heartbeat: Heartbeat;
  readonly #peer: JsonRpcPeer;
  readonly #parts: SessionParts;
  /** When each command was sent that the game has not come to yet. */
  readonly #sent = new Map<string, number>();
  #farmId: string | undefined;

  constructor(hello: HelloParams, peer: JsonRpcPeer, parts: SessionParts) {
    this.hello = hello;
    this.capabilities = new Set(hello.capabilities);
    this.#farmId = hello.farm?.farmId;
    this.#peer = peer;
    this.#parts = parts;
    this.heartbeat = new Heartbeat(parts.clock, parts.limits, parts.pace);
  }

  get farmId(): string | undefined {
    return this.#farmId;
  }

  send(command: OperationCommandName, params: Params, settle: (answer: Answer) => void): () => void {
    const id = String(params['command']);
    this.#sent.set(id, this.#parts.clock.now());
    const forget = this.#peer.request(command, params, (answer) => {
      this.#cameTo(id);
      settle(answer);
    });
    return () => {
      this.#cameTo(id);
      forget();
    };
  }

  journal(ids: readonly string[]): Promise<readonly JournalWord[] | undefined> {
    const { promise, resolve } = Promise.withResolvers<readonly JournalWord[] | undefined>();
    const answered = (answer: Answer) => {
      const parsed = unreadJournal.safeParse(answer.kind === 'result' ? answer.result : undefined);
      if (!parsed.success && answer.kind !== 'unanswered')
        this.#parts.log.warn({ answer }, "the game's answer to `journal` cannot be read");
      resolve(parsed.data?.entries.flatMap(wordOf));
    };
    this.#peer.request('journal', { commands: ids }, answered, this.#parts.limits.journalMs);
    return promise;
  }

  async ask<Name extends AskedName>(name: Name): Promise<GameAnswer<Name>> {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    this.#peer.request(name, {}, resolve, this.#parts.limits.askedMs);
    const answer = await promise;
    if (answer.kind === 'error') return { kind: 'cannot', why: answer.message.slice(0, longestWords) };
    if (answer.kind === 'unanswered')
      return { kind: 'nothing', why: `No answer from the game: ${answer.message}` };
    const parsed = requestsOfControlApi[name].result.safeParse(answer.result);
    // The schema of a name is the schema of its result; the compiler cannot follow the index so far.
    if (parsed.success) return { kind: 'result', result: parsed.data as AskedResult<Name> };
    this.#parts.log.warn({ name, problem: firstIssue(parsed.error) }, "the game's answer cannot be read");
    return { kind: 'nothing', why: 'The game’s answer cannot be read' };
  }

  async request(method: string, params: Params): Promise<object> {
    if (method === 'claim') {
      const { command } = readParams(claimParams, params);
      this.#cameTo(command);
      return this.#parts.claim(command, this);
    }
    const { clock, limits, questions } = this.#parts;
    return within(clock, limits.questionMs, answerQuestion(questions, method, params));
  }

  notification(method: string, params: Params): void {
    switch (method) {
      case 'tick': {
        const tick = this.#read(tickParams, method, params);
        if (tick !== undefined) this.heartbeat.tick(tick.count);
        return;
      }
      case 'state':
        this.#pushed(this.#read(stateParams, method, params));
        return;
      case 'event':
        this.#happened(params);
        return;
      default:
        this.#parts.log.debug({ method: method.slice(0, 64) }, 'an unknown notification from the game');
    }
  }

  /** Resolves when that is known. A game that stands still answers all the same: it reads in a thread of its own. */
  async endIfVanished(): Promise<void> {
    const { canVanish, limits } = this.#parts;
    if (!canVanish) return;
    const { promise, resolve } = Promise.withResolvers<Answer>();
    this.#peer.request('journal', { commands: [noCommand] }, resolve, limits.journalMs);
    if ((await promise).kind === 'unanswered') this.close('the game is frozen, and does not answer any more');
  }

  close(why: string): void {
    this.#peer.close(why);
  }

  ended(): void {
    this.heartbeat.stop();
  }

  #cameTo(command: string): void {
    const sentAt = this.#sent.get(command);
    if (sentAt === undefined) return;
    this.#sent.delete(command);
    this.heartbeat.cameTo(sentAt);
  }

  #pushed(sections: StateParams | undefined): void {
    if (sections === undefined) return;
    if (sections.farm !== undefined) this.#farmId = sections.farm?.farmId;
    this.#parts.state(sections);
  }

  #happened(params: Params): void {
    const given = params['event'];
    const kind = typeof given === 'object' && given !== null && 'kind' in given ? given.kind : undefined;
    if (typeof kind === 'string' && !isGameEventKind(kind)) {
      this.#parts.log.debug({ kind: kind.slice(0, 64) }, 'an event of an unknown kind');
      return;
    }
    const event = this.#read(eventParams, 'event', params)?.event;
    if (event === undefined) return;
    // A game must keep these to itself; if it does not, they end here.
    if (event.kind === 'chat' && isChatCommand(event.message)) return;
    this.#parts.event(event);
  }

  #read<Schema extends z.ZodType>(
    schema: Schema,
    method: string,
    params: Params,
  ): z.infer<Schema> | undefined {
    const parsed = schema.safeParse(params);
    if (parsed.success) return parsed.data;
    this.#parts.log.warn(
      { method, problem: firstIssue(parsed.error) },
      'a notification from the game is malformed',
    );
    return undefined;
  }
}

/** None where nobody can read which command it is of. */
function wordOf(told: unknown): JournalWord[] {
  const entry = journalEntry.safeParse(told);
  if (entry.success) return [entry.data];
  const command = commandId.safeParse(Object(told).command);
  return command.success ? [{ command: command.data, state: 'unreadable' }] : [];
}

/** Reads a game's `hello`, or refuses it with what its author or the operator can do about it. */
export function readHello(params: Params, secret: Secret | undefined): HelloParams {
  if (secret !== undefined) checkSecret(params['secret'], secret);
  checkVersion(params['protocol']);
  const parsed = helloParams.safeParse(params);
  if (!parsed.success) {
    throw new RpcFault(
      'invalidParams',
      `hello is malformed: ${firstIssue(parsed.error)}. See docs/game-bridge.md`,
    );
  }
  return parsed.data;
}

/** Before the rest is read: another major may have another form. */
function checkVersion(given: unknown): void {
  const parsed = helloParams.shape.protocol.safeParse(given);
  if (!parsed.success || parsed.data.major === protocolVersion.major) return;
  const ours = `${protocolVersion.major}.${protocolVersion.minor}`;
  const theirs = `${parsed.data.major}.${parsed.data.minor}`;
  const older = parsed.data.major < protocolVersion.major ? "the game's mod" : 'the control API';
  throw new RpcFault(
    'protocolMismatch',
    `The control API speaks bridge protocol ${ours} and the game ${theirs}: update ${older}`,
  );
}

function checkSecret(given: unknown, secret: Secret): void {
  if (typeof given === 'string' && keyCheck(secret)(given)) return;
  const what = given === undefined ? 'hello has no secret' : 'The secret in hello is wrong';
  throw new RpcFault('wrongSecret', `${what}: give the game the value of GAME_BRIDGE_SECRET`);
}
