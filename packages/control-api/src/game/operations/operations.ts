import type { Clock } from '@steward/service-kit/clock';
import type { Log } from '@steward/service-kit/log/log';
import type { ClaimResult, JournalEntry } from '@steward/shared/bridge/claims';
import { errorCode } from '@steward/shared/error-code';
import { timestampOf } from '@steward/shared/timestamp';
import type { Answer } from '../rpc/answer.ts';
import type { BridgeLimits } from '../state/limits.ts';
import type { LinkState } from '../state/link-state.ts';
import { derivedCommandId, fingerprintOf, keyDigestOf, randomCommandId } from './command-id.ts';
import type { CommandResult } from './command-result.ts';
import type { GameLink } from './game-link.ts';
import { LiveOperation } from './live-operation.ts';
import { type Ending, isFinal, neverApplied, type Operation, type OperationState } from './operation.ts';
import {
  type Hands,
  handsOf,
  type OperationCommand,
  type OperationCommandName,
  operationCommands,
} from './operation-commands.ts';
import { OperationIndex } from './operation-index.ts';
import type { OperationStore } from './operation-store.ts';
import { isChangeOf, readOutcome } from './read-outcome.ts';

export interface OperationsParts {
  readonly store: OperationStore;
  readonly clock: Clock;
  readonly limits: BridgeLimits;
  readonly log: Log;
  /** How the game stands, as far as the bridge knows. */
  readonly game: () => LinkState;
  /** Called whenever an outcome has become unknown: it is now for the journal to tell. Without one, nobody ever tells. */
  readonly unsettled: (() => void) | undefined;
  readonly newId?: () => string;
}

export interface RunOptions {
  /** Requests under one key are one request; see `CommandResult` for what a reused key gives. */
  readonly idempotencyKey?: string | undefined;
  /** What the caller asked for, where that is not the command itself. */
  readonly request?: unknown;
  /** Sent to a game that is known to stand still, too: it may yet come to it. */
  readonly alsoIfFrozen?: boolean;
}

/** What this service does itself, whoever else has a part in it. */
export interface LocalCommand {
  readonly name: OperationCommandName;
  readonly request: unknown;
  readonly idempotencyKey: string | undefined;
}

/** Of a game's own words in an operation's `why`. */
const longestWhy = 500;

/** Gives out commands, grants their claims, and knows how each ended. The claim rule lives here and nowhere else. */
export class Operations {
  readonly #parts: OperationsParts;
  readonly #index: OperationIndex;
  readonly #live = new Map<string, LiveOperation>();
  readonly #followers = new Set<(operation: Operation) => void>();
  /** What is being kept, and nobody waits for. */
  readonly #settling = new Set<Promise<unknown>>();

  constructor(parts: OperationsParts) {
    this.#parts = parts;
    this.#index = new OperationIndex(() => parts.clock.date());
  }

  /** Takes up what an earlier process left: whatever was claimed then is for the journal to settle. */
  async load(): Promise<void> {
    for (const kept of await this.#parts.store.load()) {
      this.#index.put(kept);
      if (isFinal(kept)) continue;
      const live = this.#adopt(kept, undefined);
      await live
        .become('unknown', this.#unknown('the control API was restarted before the outcome came'))
        .catch((error) => this.#notKept(error));
    }
  }

  /** Resolves when everything that has come is kept. */
  async close(): Promise<void> {
    while (this.#settling.size > 0) await Promise.all(this.#settling);
    await this.#parts.store.close();
  }

  find(id: string): Operation | undefined {
    return this.#live.get(id)?.now ?? this.#index.get(id);
  }

  async run(
    command: OperationCommand,
    link: GameLink | undefined,
    options: RunOptions = {},
  ): Promise<CommandResult> {
    const known = this.recall(options.request ?? command, options.idempotencyKey);
    if (known !== undefined) return known;
    if (link === undefined)
      return this.#unavailable(
        handsOf(command.name) === 'own' ? 'no farm is loaded' : 'no game is connected',
      );
    if (!link.capabilities.has(command.name)) return { kind: 'unsupported', command: command.name };
    const { status, why } = this.#parts.game();
    if (status === 'frozen' && handsOf(command.name) === 'game' && !options.alsoIfFrozen)
      return this.#unavailable(`the game is frozen: ${why}`);
    const tooMany = this.#tooMany();
    if (tooMany !== undefined) return tooMany;
    const live = this.#begin(command, link, options);
    return this.#answerOf(live.now.id, live.now);
  }

  /**
   * What became of the request that was sent under this key before; undefined where nothing is known of one. Where the keys
   * of earlier processes cannot be read, a retry might be done twice: no key is taken then.
   */
  recall(request: unknown, idempotencyKey: string | undefined): Promise<CommandResult> | undefined {
    if (idempotencyKey === undefined) return undefined;
    const holder = this.#index.holderOf(keyDigestOf(idempotencyKey));
    const { keepsNothing } = this.#parts.store;
    if (holder === undefined)
      return keepsNothing === undefined
        ? undefined
        : Promise.resolve({ kind: 'unkept', reason: keepsNothing });
    if (holder.fingerprint !== fingerprintOf(request))
      return Promise.resolve({ kind: 'key-reused', operation: holder });
    return this.#answerOf(holder.id, holder);
  }

  /**
   * Has something done that no game is told as such, under the rules of what one is told: once under its key, kept, and told again. What
   * `carry` throws goes to whoever asked: then nothing was done, and the key is free.
   */
  async carryOut(
    command: LocalCommand,
    carry: (operation: Operation) => Promise<Ending>,
  ): Promise<CommandResult> {
    const known = this.recall(command.request, command.idempotencyKey) ?? this.#tooMany();
    if (known !== undefined) return known;
    const live = this.#adopt(this.#newOperation(command, 'claimed'), undefined);
    const carried = carry(live.now);
    this.#settle(
      carried.then(
        ({ state, ...more }) => live.become(state, more),
        (error) => live.become('void', { why: String(error?.message ?? error), unkept: true }),
      ),
    );
    await Promise.race([live.answered, carried]);
    return this.#answerOf(live.now.id, live.now);
  }

  /** Calls back with each operation whenever it has come into another state; returns what ends it. */
  follow(follower: (operation: Operation) => void): () => void {
    this.#followers.add(follower);
    return () => this.#followers.delete(follower);
  }

  /** Granted once, to the connection that the command was sent on, while its caller still waits. */
  async claim(id: string, link: GameLink): Promise<ClaimResult> {
    const live = this.#live.get(id);
    if (live === undefined || live.now.state !== 'pending' || live.link !== link) {
      return { granted: false, reason: this.#whyNot(id) };
    }
    const { outcomeMs } = operationCommands[live.now.command];
    const claimed = live.become('claimed');
    live.deadline(outcomeMs, () =>
      this.#outcomeIsUnknown(live, `the game did not tell within ${outcomeMs} ms`),
    );
    try {
      // Kept before it is granted: a restart must not forget that the game may be applying it.
      await claimed;
      if (this.find(id)?.state === 'claimed') return { granted: true };
      // The disk took longer than the caller could wait: nothing was granted, so nothing will be applied.
      await live.become('void', { why: 'the claim was kept too late to be granted' });
      return { granted: false, reason: this.#whyNot(id) };
    } catch (error) {
      this.#parts.log.debug({ err: error, operation: id }, 'a claim cannot be kept and is not granted');
      await this.unkept(id, `STATE_DIR cannot be written (${errorCode(error) ?? 'unknown error'})`);
      return { granted: false, reason: 'the control API cannot write to its disk' };
    }
  }

  /** It could not be carried out for want of a disk: nothing was changed, and the same request may be sent again. */
  async unkept(id: string, why: string): Promise<void> {
    const live = this.#live.get(id);
    await live?.become('void', { why, unkept: true }).catch((error) => this.#notKept(error));
  }

  /** What was not claimed is void; what was is for the journal to tell. */
  connectionLost(link: GameLink, why: string): void {
    for (const live of [...this.#live.values()]) {
      if (live.link !== link) continue;
      if (live.now.state === 'pending') this.#settle(live.become('void', { why }));
      else if (live.now.state === 'claimed') this.#outcomeIsUnknown(live, why);
    }
  }

  /** The commands to ask a journal about: those of its own farm, and of its own kind. */
  unsettled(farmId: string | undefined, hands: Hands): string[] {
    return [...this.#live.values()]
      .map(({ now }) => now)
      .filter(({ state, command }) => state === 'unknown' && handsOf(command) === hands)
      .filter((now) => now.farmId === undefined || now.farmId === farmId)
      .map(({ id }) => id);
  }

  journalSays(entry: JournalEntry): void {
    const live = this.#live.get(entry.command);
    if (live === undefined || live.now.state !== 'unknown' || entry.state === 'working') return;
    if (entry.state === 'absent') this.#settle(live.become('void', neverApplied(live.now.command)));
    else if (isChangeOf(live.now.command, entry.outcome)) this.#settle(live.outcome(entry.outcome));
    else
      this.#parts.log.warn(
        { operation: entry.command },
        "the game's journal holds an outcome of another form",
      );
  }

  #tooMany(): CommandResult | undefined {
    const inHand = [...this.#live.values()].filter(({ now }) => now.state !== 'unknown').length;
    if (inHand < this.#parts.limits.commandsInHand) return undefined;
    return this.#unavailable('too many commands are waiting for the game');
  }

  /** An operation of which nothing has been kept yet. */
  #newOperation({ name, request, idempotencyKey }: LocalCommand, state: OperationState): Operation {
    const { clock, newId = randomCommandId } = this.#parts;
    const at = timestampOf(clock.date());
    const fingerprint = fingerprintOf(request);
    const common = { command: name, state, createdAt: at, changedAt: at, fingerprint };
    if (idempotencyKey === undefined) return { ...common, id: newId() };
    const keyDigest = keyDigestOf(idempotencyKey);
    return { ...common, id: derivedCommandId(keyDigest, fingerprint, clock.date()), keyDigest };
  }

  #begin(command: OperationCommand, link: GameLink, options: RunOptions): LiveOperation {
    const { name, params } = command;
    const { request = command, idempotencyKey } = options;
    const first = this.#newOperation({ name, request, idempotencyKey }, 'pending');
    const live = this.#adopt(
      { ...first, ...(link.farmId === undefined ? {} : { farmId: link.farmId }) },
      link,
    );
    const { claimMs } = this.#parts.limits;
    live.deadline(claimMs, () =>
      this.#settle(live.become('void', { why: `the game did not claim it within ${claimMs} ms` })),
    );
    live.sent(link.send(name, { command: first.id, ...params }, (answer) => this.#answered(live, answer)));
    return live;
  }

  #adopt(first: Operation, link: GameLink | undefined): LiveOperation {
    const live = new LiveOperation(first, link, {
      clock: this.#parts.clock,
      keep: (changed) => {
        this.#index.put(changed);
        if (isFinal(changed)) this.#live.delete(changed.id);
        for (const follower of this.#followers) follower(changed);
        return this.#parts.store.write(changed);
      },
    });
    this.#index.put(first);
    this.#live.set(first.id, live);
    return live;
  }

  async #answerOf(id: string, last: Operation): Promise<CommandResult> {
    const live = this.#live.get(id);
    if (live === undefined) return { kind: 'operation', operation: this.find(id) ?? last };
    await live.answered;
    return { kind: 'operation', operation: live.now };
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
    this.#settle(live.become('unknown', this.#unknown(why)));
    this.#parts.unsettled?.();
  }

  #unknown(why: string): Pick<Operation, 'why' | 'forGood'> {
    return this.#parts.unsettled === undefined ? { why, forGood: true } : { why };
  }

  #settle(kept: Promise<boolean>): void {
    const settling = kept
      .catch((error) => this.#notKept(error))
      .finally(() => this.#settling.delete(settling));
    this.#settling.add(settling);
  }

  /** Whoever keeps them says once that it cannot. */
  #notKept(error: unknown): void {
    this.#parts.log.debug({ err: error }, 'an operation cannot be kept in STATE_DIR');
  }

  #whyNot(id: string): string {
    const known = this.find(id);
    if (known === undefined) return 'nobody waits for this command';
    return known.state === 'pending' ? 'it was sent on another connection' : `it is ${known.state} already`;
  }

  #unavailable(reason: string): CommandResult {
    return { kind: 'unavailable', reason, retryAfterMs: this.#parts.limits.retryAfterMs };
  }
}
