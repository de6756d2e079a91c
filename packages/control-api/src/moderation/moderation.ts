import { type Clock, every } from '@steward/service-kit/clock';
import type { Log } from '@steward/service-kit/log/logger';
import { errorCode } from '@steward/service-kit/process/errors';
import { SettledTime } from '@steward/service-kit/settled-time';
import type { ListRow } from '@steward/shared/api/answers/moderation';
import { moderationCommandNames } from '@steward/shared/api/answers/operations';
import type { KeyExpiry } from '@steward/shared/api/key-parameters';
import type { ModerationList } from '@steward/shared/api/moderation-parameters';
import type { AppliedOutcome } from '@steward/shared/bridge/outcome';
import { Problem } from '@steward/shared/problems/problem';
import type { GameBridge } from '../game/game-bridge.ts';
import type { Refused } from '../game/operations/farmhand-meant.ts';
import {
  asWritten,
  type CommandResult,
  type Ending,
  type Operation,
  type OperationCommandName,
} from '../game/operations/operation.ts';
import { longestWriteMs } from '../game/operations/own-operations.ts';
import type { Objections } from '../game/questions/objections.ts';
import { added, concernsOthers, type Imported, imported, removed, withoutOver } from './changes.ts';
import { type GivenRow, isOver, type Lists, longestJournal, noLists } from './lists.ts';
import type { ListsProblem, ListsRegister } from './lists-register.ts';
import { appliedTo, changesBetween } from './news.ts';
import { SendingAway, type SentAway } from './sending-away.ts';
import { type Owners, unreadableLists, Verdict } from './verdict.ts';
import { type GivenWhom, rowMeant, whomMeant } from './whom.ts';

/** Between two looks at the file, which somebody may have changed, and at the clock, by which bans end. */
const lookMs = 5_000;

export interface ModerationParts extends Owners {
  readonly register: ListsRegister;
  readonly clock: Clock;
  readonly log: Log;
}

export interface GivenEntry extends GivenWhom {
  readonly reason?: string | undefined;
  readonly until?: KeyExpiry | undefined;
  readonly force?: boolean | undefined;
}

/** Who is kept out, and who alone comes in: what is asked is answered by the file as it is now. */
export class Moderation {
  readonly objections: Objections = {
    look: async () => {
      await this.#parts.register.look();
      return (knock) => {
        this.#away?.knocks(knock);
        const { lists } = this.#parts.register;
        if (lists === undefined) return () => unreadableLists;
        return this.#verdict.on(knock, this.#parts.ownerOf, this.#now);
      };
    },
  };
  readonly #parts: ModerationParts;
  /** A ban holds or not by the clock as it is; over for good it is only by one that is settled. */
  readonly #settled: SettledTime;
  #bridge: GameBridge | undefined;
  #away: SendingAway | undefined;
  #verdict = new Verdict(noLists);
  #whyNotLetGo: string | undefined;
  #endLooking: () => void = () => {};

  constructor(parts: ModerationParts) {
    this.#parts = parts;
    this.#settled = new SettledTime(parts.clock);
    parts.register.follow((after, before) => {
      this.#verdict = new Verdict(after);
      if (before === undefined) return;
      for (const event of changesBetween(before, after, this.#now)) this.#bridge?.events.append(event);
    });
  }

  attach(bridge: GameBridge): void {
    const { clock, log } = this.#parts;
    this.#bridge = bridge;
    const away = new SendingAway({
      bridge,
      clock,
      log,
      objection: (knock, slot) => this.#verdict.ban(knock, this.#parts, this.#now)(slot),
    });
    this.#away = away;
    let players = bridge.state.sections.players;
    bridge.follow(({ sections }) => {
      if (sections.players === players) return;
      players = sections.players;
      void away.all();
    });
  }

  /** Reads the file, and tells how those changes ended that an earlier process left in the middle. */
  async load(): Promise<void> {
    const { register } = this.#parts;
    await register.look();
    this.#attached.operations.decide(moderationCommandNames, ({ id }) => {
      if (register.lists === undefined) return undefined;
      return (
        this.#done(register.lists, id) ?? { state: 'void', why: 'it could not be stored', notDurable: true }
      );
    });
    this.#attached.operations.remember(moderationCommandNames, register.lists?.journal ?? []);
  }

  /** Begins to look by itself. */
  start(): void {
    this.#endLooking = every(this.#parts.clock, lookMs, () => void this.lookAround());
  }

  async stop(): Promise<void> {
    this.#endLooking();
    await this.#parts.register.close();
  }

  /** Takes up what was changed by hand, lets go of bans that are over, and sends away whoever may not be there. */
  async lookAround(): Promise<void> {
    await this.#parts.register.look();
    if (this.#settled.isSettled()) await this.#tryToLetGo();
    await this.#away?.all();
  }

  get problem(): ListsProblem | undefined {
    return this.#parts.register.problem;
  }

  /** What is on a list now; throws the Problem that says so where nobody can tell. */
  async list(list: ModerationList): Promise<readonly ListRow[]> {
    await this.#parts.register.look();
    return withoutOver(this.#readable(), list, this.#now);
  }

  isOver(row: ListRow): boolean {
    return isOver(row, this.#now);
  }

  /** The ban that keeps a farmhand from everybody but an owner of it since. */
  banOfFarmhand(farmhandId: string): ListRow | undefined {
    return this.#verdict.banOfFarmhand(farmhandId, this.#now);
  }

  /** How many rows each list has. */
  get counts(): Readonly<Record<ModerationList, number>> {
    const { bans = [], allowlist = [] } = this.#parts.register.lists ?? {};
    return { bans: bans.filter((row) => !this.isOver(row)).length, allowlist: allowlist.length };
  }

  add(list: ModerationList, entry: GivenEntry, idempotencyKey: string | undefined): Promise<CommandResult> {
    const name = list === 'bans' ? 'addBan' : 'allowPlayer';
    const { reason, until, force = false } = entry;
    return this.#change(name, entry, idempotencyKey, (lists) => {
      const whom = whomMeant(entry, list, this.#attached.state, this.#parts);
      if ('state' in whom) return whom;
      const others = force ? undefined : concernsOthers(whom.address, this.#away?.addresses ?? []);
      if (others !== undefined)
        throw new Problem(
          'ban-needs-force',
          `${others}. With force=true it is ${list === 'bans' ? 'banned' : 'allowed'} anyway`,
        );
      const { lists: after, row } = added(lists, list, { ...whom, reason, until }, this.#now);
      return { lists: after, outcome: appliedTo(row) };
    });
  }

  remove(
    list: ModerationList,
    which: GivenWhom & { readonly id?: string | undefined },
    idempotencyKey: string | undefined,
  ) {
    const name = list === 'bans' ? 'removeBan' : 'disallowPlayer';
    return this.#change(name, which, idempotencyKey, (lists) => {
      const { lists: after, row } = removed(lists, list, rowMeant(which), this.#now);
      return { lists: after, outcome: appliedTo(row) };
    });
  }

  /** What would become of these rows. */
  async wouldImport(list: ModerationList, rows: readonly GivenRow[]): Promise<Imported> {
    await this.#parts.register.look();
    return imported(this.#readable(), list, rows, this.#now);
  }

  /** Which rows are taken depends on who is online: a retry is known by what was `asked`. */
  import(
    list: ModerationList,
    rows: readonly GivenRow[],
    asked: object,
    idempotencyKey: string | undefined,
  ): Promise<CommandResult> {
    return this.#change('importBans', asked, idempotencyKey, (lists) => {
      const { lists: after, added: fresh, alreadyThere, over } = imported(lists, list, rows, this.#now);
      const outcome: AppliedOutcome = {
        outcome: 'applied',
        before: {},
        after: { list, added: fresh.length, alreadyThere, over },
      };
      return { lists: after, outcome };
    });
  }

  /** Why a row for this address is not taken without force. */
  concernsOthers(address: string | undefined): string | undefined {
    return concernsOthers(address, this.#away?.addresses ?? []);
  }

  /** Resolves when everybody who may not be there was told to go, with what became of it. */
  async sendAway(): Promise<readonly SentAway[]> {
    return (await this.#away?.all()) ?? [];
  }

  /** One after the other, each as an operation that is kept with what it changes. */
  #change(
    name: OperationCommandName,
    asked: object,
    idempotencyKey: string | undefined,
    decide: (lists: Lists) => { readonly lists: Lists; readonly outcome: AppliedOutcome } | Refused,
  ): Promise<CommandResult> {
    const { register } = this.#parts;
    return this.#attached.operations.carryOut(
      { name, request: { name, asked }, idempotencyKey },
      (operation) =>
        register.exclusively(async () => {
          await register.look();
          // A file that is gone is believed to be at the second look: what stood in it is not to be written again.
          await register.look();
          const lists = this.#readable();
          const known = this.#done(lists, operation.id);
          if (known !== undefined) return known;
          const change = decide(lists);
          if ('state' in change) return change;
          return this.#write(operation, change.lists, change.outcome);
        }),
      { withinMs: longestWriteMs },
    );
  }

  async #write(operation: Operation, lists: Lists, outcome: AppliedOutcome): Promise<Ending> {
    const journal = [...lists.journal, asWritten(operation, outcome)].slice(-longestJournal);
    try {
      await this.#parts.register.commit({ ...lists, journal });
    } catch (error) {
      const why = `the file of bans in STATE_DIR cannot be written (${errorCode(error) ?? 'unknown error'})`;
      this.#parts.log.error({ err: error }, why);
      return { state: 'void', why, notDurable: true };
    }
    return { state: 'applied', outcome };
  }

  #done({ journal }: Lists, operationId: string): Ending | undefined {
    const entry = journal.find(({ command }) => command === operationId);
    return entry && { state: 'applied', outcome: entry.outcome };
  }

  async #tryToLetGo(): Promise<void> {
    const { register, log } = this.#parts;
    try {
      await register.exclusively(() => this.#letGo());
      this.#whyNotLetGo = undefined;
    } catch (error) {
      const why = errorCode(error) ?? 'unknown error';
      // What is tried again and again is told of once.
      if (why !== this.#whyNotLetGo)
        log.warn({ err: error }, 'bans that are over cannot be removed from the file');
      this.#whyNotLetGo = why;
    }
  }

  async #letGo(): Promise<void> {
    const { register } = this.#parts;
    const { lists } = register;
    if (lists === undefined || register.problem !== undefined || !register.isThere) return;
    const bans = withoutOver(lists, 'bans', this.#now);
    if (bans.length === lists.bans.length) return;
    // A list that is kept elsewhere gives way to a file only when somebody changes something.
    if (await register.isLink()) return;
    await register.commit({ ...lists, bans: [...bans] });
  }

  /** What stands in the file; throws the Problem that says so where it cannot be read, or is not what is read of it. */
  #readable(): Lists {
    const { lists, problem } = this.#parts.register;
    if (lists !== undefined && problem === undefined) return lists;
    throw new Problem(
      'bans-unreadable',
      `${problem?.reason ?? 'The file of bans was not read yet'}. ${problem?.remedy ?? 'Try again'}`,
    );
  }

  get #now(): number {
    return this.#parts.clock.date().getTime();
  }

  get #attached(): GameBridge {
    if (this.#bridge === undefined) throw new Error('no bridge was attached');
    return this.#bridge;
  }
}
