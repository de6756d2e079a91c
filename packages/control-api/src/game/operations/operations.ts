import type { Clock } from '@steward/service-kit/clock';
import type { Log } from '@steward/service-kit/log/logger';
import { SettledTime } from '@steward/service-kit/settled-time';
import type { AppliedOutcome } from '@steward/shared/bridge/outcome';
import { timestampOf } from '@steward/shared/wire-values';
import type { BridgeLimits } from '../state/limits.ts';
import { type GameLink, LiveOperation } from './live-operation.ts';
import {
  type Asked,
  type CommandResult,
  type Ending,
  isFinal,
  isLocal,
  type Operation,
  type OperationCommandName,
  type OperationState,
  type WrittenOperation,
} from './operation.ts';
import {
  derivedCommandId,
  fingerprintOf,
  keyDigestOf,
  OperationIndex,
  randomCommandId,
} from './operation-index.ts';
import { type Carry, type CarryTimes, OwnOperations } from './own-operations.ts';

/** Where operations outlive the process. */
export interface OperationStore {
  load(): Promise<Operation[]>;
  /** Calls back with what there was to load, where it can be read only later. */
  late?(take: (kept: readonly Operation[]) => void): void;
  /** Why nothing is kept over restarts, where that is so: then nobody may be promised that a retry is known. */
  readonly unreadable?: string | undefined;
  /** Resolves when the operation, in this state, would survive a power cut. */
  write(operation: Operation): Promise<void>;
  close(): Promise<void>;
}

export interface OperationsParts {
  readonly store: OperationStore;
  readonly clock: Clock;
  readonly limits: Pick<BridgeLimits, 'commandsInHand' | 'retryAfterMs'>;
  readonly log: Log;
  /** Whether the game can be asked how a command ended; where not, an unknown outcome stays unknown. */
  readonly keepsJournal: boolean;
  /** Called when outcomes are unknown that were not before. */
  readonly unsettled?: () => void;
  readonly newId?: () => string;
}

/** Every operation, by whomever it is carried out: once under its key, kept over restarts, told again. */
export class Operations {
  readonly #parts: OperationsParts;
  readonly #index: OperationIndex;
  readonly #live = new Map<string, LiveOperation>();
  readonly #own: OwnOperations;
  readonly #followers = new Set<(operation: Operation, isNews: boolean) => void>();
  /** What is being kept, and nobody waits for. */
  readonly #settling = new Set<Promise<unknown>>();
  #isClosing = false;
  /** What the farm's file said last, and who decides, for what is read later. */
  #restored = () => {};
  readonly #decided: (() => void)[] = [];

  constructor(parts: OperationsParts) {
    this.#parts = parts;
    this.#index = new OperationIndex(new SettledTime(parts.clock));
    const forget = ({ now: { id } }: LiveOperation) => {
      this.#live.delete(id);
      this.#index.forget(id);
    };
    this.#own = new OwnOperations(
      {
        recall: (asked) => this.recall(asked),
        begin: (asked, state) => this.begin(asked, state),
        answerOf: (last) => this.answerOf(last),
        find: (id) => this.find(id),
        live: () => this.live,
        settle: (kept) => this.settle(kept),
        takeOver: (done) => this.#keep(done, false),
        forget,
      },
      parts.clock,
    );
  }

  /** Takes up what an earlier process left: how it ended is for the game's journal to tell, or for the file that it changed. */
  async load(): Promise<void> {
    const { store } = this.#parts;
    await this.#takeUp(await store.load());
    this.#decideAll();
    store.late?.((kept) => {
      this.settle(this.#takeUp(kept).then(() => this.#decideAll()));
      this.#restored();
      this.#parts.unsettled?.();
    });
  }

  async #takeUp(kept: readonly Operation[]): Promise<void> {
    // Where it is read late, more may be known by now.
    const since = new Map(this.#index.values().map((each) => [each.id, each]));
    for (const id of since.keys()) this.#index.forget(id);
    for (const each of kept) this.#index.takeUp(each);
    for (const each of since.values()) this.#index.put(each);
    const open = kept.filter((each) => !isFinal(each) && !since.has(each.id));
    // Together: on a slow disk each would wait for its own sync.
    await Promise.all(
      open.map((each) =>
        this.#adopt(each, undefined)
          .unknown('the control API was restarted before the outcome came')
          .catch((error) => this.#notWritten(error)),
      ),
    );
  }

  /** Resolves when everything that has come is kept; nothing begins any more that could not be. */
  async close(): Promise<void> {
    this.#isClosing = true;
    while (this.#settling.size > 0) await Promise.all(this.#settling);
    await this.#parts.store.close();
  }

  find(id: string): Operation | undefined {
    return this.#live.get(id)?.now ?? this.#index.get(id);
  }

  /** The newest first, and where one is named, those before it; undefined where that one is not known. */
  list(most: number, before?: string): readonly Operation[] | undefined {
    const all = this.#index.newestFirst().filter(({ partOf }) => partOf === undefined);
    const from = before === undefined ? 0 : all.findIndex(({ id }) => id === before) + 1;
    if (before !== undefined && from === 0) return undefined;
    return all.slice(from, from + most);
  }

  /** Calls back with each operation that has come into another state; what the list lacked is no news. Returns what ends it. */
  follow(follower: (operation: Operation, isNews: boolean) => void): () => void {
    this.#followers.add(follower);
    return () => this.#followers.delete(follower);
  }

  /** Those that have not ended. */
  get live(): readonly LiveOperation[] {
    return [...this.#live.values()].filter(({ now }) => !isFinal(now));
  }

  liveOf(id: string): LiveOperation | undefined {
    return this.#live.get(id);
  }

  /**
   * What became of the request that was sent under this key before; undefined where nothing is known of one. Where the keys
   * of earlier processes cannot be read, a retry might be done twice: no key is taken then.
   */
  recall({ request, idempotencyKey }: Asked): Promise<CommandResult> | undefined {
    if (idempotencyKey === undefined) return undefined;
    const holder = this.#index.holderOf(keyDigestOf(idempotencyKey));
    if (holder === undefined) return this.#keyUnreadable && Promise.resolve(this.#keyUnreadable);
    if (holder.fingerprint !== fingerprintOf(request))
      return Promise.resolve({ kind: 'key-reused', operation: holder });
    return this.answerOf(holder);
  }

  /** Begins an operation, unless too many have; nothing of it is kept before it comes into another state. */
  begin(asked: Asked, state: OperationState, link?: GameLink): LiveOperation | CommandResult {
    if (this.#isClosing) return this.unavailable('the control API is stopping');
    const inHand = this.live.filter(({ now }) => now.state !== 'unknown').length;
    // What this service does itself waits for no game: a key can be taken back from whoever has it wait for as much as it may.
    if (inHand >= this.#parts.limits.commandsInHand && !isLocal(asked.name))
      return this.unavailable('too many commands are waiting for the game');
    return this.#adopt(this.#newOperation(asked, state), link);
  }

  /** Resolves when there is something to tell of it, and what is told for good is kept: a retry is told the same by any process. */
  async answerOf(last: Operation): Promise<CommandResult> {
    const live = this.#live.get(last.id);
    if (live === undefined) return { kind: 'operation', operation: this.find(last.id) ?? last };
    await live.answered;
    const { now } = live;
    const wasRefused = now.notDurable && now.keyDigest !== undefined;
    return (wasRefused ? this.#keyUnreadable : undefined) ?? { kind: 'operation', operation: now };
  }

  unavailable(reason: string): CommandResult {
    return { kind: 'unavailable', reason, retryAfterMs: this.#parts.limits.retryAfterMs };
  }

  /**
   * Has something done by this service itself. What `carry` throws goes to whoever asked: then nothing was done, nothing is kept
   * of it but that it is void where a step of it was kept, and the key is free.
   */
  carryOut(asked: Asked, carry: Carry, times: CarryTimes = {}): Promise<CommandResult> {
    return this.#own.carryOut(asked, carry, times);
  }

  /**
   * What a farm's file says of the operations that were written into it with their effect. The list has from it what a crash kept
   * from the disk; and what is open and not in it was never done. `isChange` knows the form of what such an operation changes.
   */
  restore(
    farmId: string,
    written: readonly WrittenOperation[],
    isChange: (outcome: AppliedOutcome) => boolean,
  ): void {
    this.#restored = () => this.restore(farmId, written, isChange);
    this.#own.restore(farmId, written, isChange);
  }

  /** Settles how those ended that an earlier process left in the middle, by who can tell; also what is read only later. */
  decide(commands: readonly OperationCommandName[], ending: (left: Operation) => Ending | undefined): void {
    this.#decided.push(() => this.#own.decide(commands, ending));
    this.#own.decide(commands, ending);
  }

  /** As `restore`, of a file that is read before the list is: once that is loaded. What is open is for `decide`. */
  remember(commands: readonly OperationCommandName[], written: readonly WrittenOperation[]): void {
    this.#decided.push(() => this.#own.remember(written, (command) => commands.includes(command)));
  }

  /** Sees to it that something is kept, which nobody waits for. */
  settle(kept: Promise<unknown>): void {
    const settling = kept
      .catch((error) => this.#notWritten(error))
      .finally(() => this.#settling.delete(settling));
    this.#settling.add(settling);
  }

  #decideAll(): void {
    for (const decide of this.#decided) decide();
  }

  #newOperation({ name, request, idempotencyKey, farmId, partOf }: Asked, state: OperationState): Operation {
    const { clock, newId = randomCommandId } = this.#parts;
    const at = timestampOf(clock.date());
    const fingerprint = fingerprintOf(request);
    const farm = farmId === undefined ? {} : { farmId };
    const whole = partOf === undefined ? {} : { partOf };
    const common = { command: name, state, createdAt: at, changedAt: at, fingerprint, ...farm, ...whole };
    if (idempotencyKey === undefined) return { ...common, id: newId() };
    const keyDigest = keyDigestOf(idempotencyKey);
    const derived = derivedCommandId(keyDigest, fingerprint, clock.date());
    // What had begun here before a kill, and is begun again under its key, is another operation: each has its own lines in the audit.
    const hadBegun = isLocal(name) && this.#index.get(derived)?.step !== undefined;
    return { ...common, id: hadBegun ? newId() : derived, keyDigest };
  }

  #adopt(first: Operation, link: GameLink | undefined): LiveOperation {
    const { clock } = this.#parts;
    // How that ended which no game hears of, no game's journal tells.
    const keepsJournal = this.#parts.keepsJournal || isLocal(first.command);
    const keep = (changed: Operation, isNews?: boolean) => this.#keep(changed, isNews);
    const live = new LiveOperation(first, link, { clock, keepsJournal, keep });
    this.#index.put(first);
    this.#live.set(first.id, live);
    return live;
  }

  async #keep(changed: Operation, isNews = true): Promise<void> {
    this.#index.put(changed);
    for (const follower of this.#followers) follower(changed, isNews);
    try {
      await this.#parts.store.write(changed);
    } finally {
      // Until then a retry waits as well. By now its key may have begun another.
      if (isFinal(changed) && this.#live.get(changed.id)?.now === changed) this.#live.delete(changed.id);
    }
  }

  /** What is told of a key that nothing is known of, where nobody can read whether it was sent before. */
  get #keyUnreadable(): CommandResult | undefined {
    const { unreadable: reason } = this.#parts.store;
    return reason === undefined ? undefined : { kind: 'key-unreadable', reason };
  }

  /** Whoever keeps them says once that it cannot. */
  #notWritten(error: unknown): void {
    this.#parts.log.debug({ err: error }, 'an operation cannot be stored in STATE_DIR');
  }
}
