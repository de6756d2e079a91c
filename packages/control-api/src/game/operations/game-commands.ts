import type { Clock, Timer } from '@steward/service-kit/clock';
import type { Log } from '@steward/service-kit/log/logger';
import { codeOrWords } from '@steward/service-kit/process/errors';
import { type Command, commands, farmChanges } from '@steward/shared/bridge/commands';
import { rpcErrorCodes } from '@steward/shared/bridge/json-rpc';
import {
  type AppliedOutcome,
  type ClaimResult,
  type CommandOutcome,
  commandOutcome,
} from '@steward/shared/bridge/outcome';
import type { Answer } from '@steward/shared/bridge/peer';
import type { LinkState } from '../state/bridge-state.ts';
import type { BridgeLimits } from '../state/limits.ts';
import type { GameLink, JournalWord, LiveOperation } from './live-operation.ts';
import { type CommandResult, isLocal, type OperationCommandName } from './operation.ts';
import type { Operations } from './operations.ts';

export interface GameCommandsParts {
  readonly operations: Operations;
  readonly limits: Pick<BridgeLimits, 'claimMs'>;
  readonly log: Log;
  /** How the game stands, as far as the bridge knows. */
  readonly game: () => LinkState;
  /** Called whenever an outcome has become unknown. */
  readonly unsettled: () => void;
}

export interface RunOptions {
  /** Requests under one key are one request; see `CommandResult` for what a reused key gives. */
  readonly idempotencyKey?: string | undefined;
  /** Sent to a game that is known to stand still, too: it may yet come to it. */
  readonly alsoIfFrozen?: boolean;
  /** The operation that it is a step of. */
  readonly partOf?: string;
}

/** Of a game's own words in an operation's `why`. */
const longestWhy = 500;

/** Gives out commands, grants their claims, and knows how each ended. The claim rule lives here and nowhere else. */
export class GameCommands {
  readonly #parts: GameCommandsParts;
  readonly #operations: Operations;

  constructor(parts: GameCommandsParts) {
    this.#parts = parts;
    this.#operations = parts.operations;
  }

  async run(
    command: Command,
    link: GameLink | undefined,
    { idempotencyKey, alsoIfFrozen = false, partOf }: RunOptions = {},
  ): Promise<CommandResult> {
    const { name, params } = command;
    // Whichever farm the game has afterwards, its journal tells.
    const farmId = farmChanges.some((change) => change === name) ? undefined : link?.farmId;
    const asked = { name, request: command, idempotencyKey, farmId, partOf };
    const known = this.#operations.recall(asked);
    if (known !== undefined) return known;
    if (link === undefined) return this.#operations.unavailable('no game is connected');
    if (!link.capabilities.has(name)) return { kind: 'unsupported', command: name };
    const { status, reason } = this.#parts.game();
    if (status === 'frozen' && !alsoIfFrozen)
      return this.#operations.unavailable(`the game is frozen: ${reason}`);
    const live = this.#operations.begin(asked, 'pending', link);
    if ('kind' in live) return live;
    const { now: first } = live;
    const { claimMs } = this.#parts.limits;
    live.deadline(claimMs, () =>
      this.#settle(live.become('void', { why: `the game did not claim it within ${claimMs} ms` })),
    );
    live.sent(link.send(name, { command: first.id, ...params }, (answer) => this.#answered(live, answer)));
    return this.#operations.answerOf(first);
  }

  /** Granted once, to the connection that the command was sent on, while its caller still waits. */
  async claim(id: string, link: GameLink): Promise<ClaimResult> {
    const live = this.#operations.liveOf(id);
    if (
      live === undefined ||
      live.now.state !== 'pending' ||
      live.link !== link ||
      isLocal(live.now.command)
    ) {
      return { granted: false, reason: this.#whyNot(id) };
    }
    const { outcomeMs } = commands[live.now.command];
    const claimed = live.become('claimed');
    live.deadline(outcomeMs, () =>
      this.#outcomeIsUnknown(live, `the game did not report the outcome within ${outcomeMs} ms`),
    );
    try {
      // Kept before it is granted: a restart must not forget that the game may be applying it.
      await claimed;
      if (this.#operations.find(id)?.state === 'claimed') return { granted: true };
      // The disk took longer than the caller could wait: nothing was granted, so nothing will be applied.
      await live.become('void', { why: 'the claim was stored too late to be granted' });
      return { granted: false, reason: this.#whyNot(id) };
    } catch (error) {
      this.#parts.log.debug({ err: error, operation: id }, 'a claim cannot be stored and is not granted');
      const why = `STATE_DIR cannot be written (${codeOrWords(error)})`;
      // It cannot be kept either; whoever asked is answered.
      await live.become('void', { why, notDurable: true }).catch(() => {});
      return { granted: false, reason: 'the control API cannot write to its disk' };
    }
  }

  /** What was not claimed is void; what was is for the journal to tell. */
  connectionLost(link: GameLink, why: string): void {
    for (const live of this.#operations.live) {
      if (live.link !== link) continue;
      if (live.now.state === 'pending') this.#settle(live.become('void', { why }));
      else if (live.now.state === 'claimed') this.#outcomeIsUnknown(live, why);
    }
  }

  /** The commands to ask the game's journal about: those of its own farm. */
  unsettled(farmId: string | undefined): string[] {
    return this.#operations.live
      .map(({ now }) => now)
      .filter(({ state, command }) => state === 'unknown' && !isLocal(command))
      .filter((now) => now.farmId === undefined || now.farmId === farmId)
      .map(({ id }) => id);
  }

  journalSays(word: JournalWord): void {
    const live = this.#operations.liveOf(word.command);
    if (live === undefined || live.now.state !== 'unknown' || word.state === 'working') return;
    if (word.state === 'absent')
      this.#settle(live.become('void', { why: "the game's journal says that it was not applied" }));
    else if (word.state === 'applied' && isChangeOf(live.now.command, word.outcome))
      this.#settle(live.outcome(word.outcome));
    else {
      // It would say the same again, however often it is asked.
      const why = "the game's journal has an outcome that cannot be read";
      this.#parts.log.warn({ operation: word.command }, why);
      this.#settle(live.become('unknown', { why, forGood: true }));
    }
  }

  #answered(live: LiveOperation, answer: Answer): void {
    const outcome = readOutcome(live.now.command, answer);
    if (outcome !== undefined) this.#settle(live.outcome(outcome));
    else if (answer.kind === 'error' || answer.kind === 'result') {
      this.#parts.log.warn(
        { operation: live.now.id, answer },
        "the game's answer to a command cannot be read",
      );
      if (live.now.state === 'pending')
        this.#settle(live.become('void', { why: 'the game answered without claiming it' }));
      else
        this.#outcomeIsUnknown(
          live,
          answer.kind === 'error'
            ? `the game failed: ${answer.message.slice(0, longestWhy)}`
            : "the game's answer could not be read",
        );
    }
  }

  #outcomeIsUnknown(live: LiveOperation, why: string): void {
    this.#settle(live.unknown(why));
    this.#parts.unsettled();
  }

  #settle(kept: Promise<boolean>): void {
    this.#operations.settle(kept);
  }

  #whyNot(id: string): string {
    const known = this.#operations.find(id);
    if (known === undefined) return 'no caller waits for this command';
    return known.state === 'pending' ? 'it was sent on another connection' : `it is ${known.state} already`;
  }
}

/** Whether what was there before and is there after has the form that this command tells it in. */
function isChangeOf(command: OperationCommandName, { before, after }: AppliedOutcome): boolean {
  if (isLocal(command)) return false;
  const { change } = commands[command];
  return change.safeParse(before).success && change.safeParse(after).success;
}

/** What a game's answer says; undefined where it says nothing that can be relied upon. */
function readOutcome(command: OperationCommandName, answer: Answer): CommandOutcome | undefined {
  if (answer.kind === 'unanswered') return undefined;
  if (answer.kind === 'error') {
    if (answer.code !== rpcErrorCodes.methodNotFound) return undefined;
    return { outcome: 'refused', code: 'unsupported', message: `The game does not know ${command}` };
  }
  const parsed = commandOutcome.safeParse(answer.result);
  if (!parsed.success) return undefined;
  if (parsed.data.outcome === 'applied' && !isChangeOf(command, parsed.data)) return undefined;
  return parsed.data;
}

/** As many as one question to a journal may name. */
const idsAtOnce = 100;

/** Asks the game's journal about every unknown outcome, until there is none. */
export class Settlement {
  readonly #commands: GameCommands;
  readonly #clock: Clock;
  readonly #limits: Pick<BridgeLimits, 'journalAgainMs'>;
  #link: GameLink | undefined;
  #asking = false;
  #again: Timer | undefined;

  constructor(commands: GameCommands, clock: Clock, limits: Pick<BridgeLimits, 'journalAgainMs'>) {
    this.#commands = commands;
    this.#clock = clock;
    this.#limits = limits;
  }

  connected(link: GameLink | undefined): void {
    this.#link = link;
    this.#again?.cancel();
    this.#asking = false;
    this.look();
  }

  look(): void {
    const link = this.#link;
    if (link === undefined || this.#asking) return;
    const ids = this.#commands.unsettled(link.farmId).slice(0, idsAtOnce);
    if (ids.length === 0) return;
    this.#asking = true;
    void this.#ask(link, ids);
  }

  async #ask(link: GameLink, ids: readonly string[]): Promise<void> {
    const words = await link.journal(ids);
    if (link !== this.#link) return;
    for (const word of words ?? []) {
      // A game may only speak of what it was asked about.
      if (ids.includes(word.command)) this.#commands.journalSays(word);
    }
    this.#again = this.#clock.after(this.#limits.journalAgainMs, () => {
      this.#asking = false;
      this.look();
    });
  }
}
