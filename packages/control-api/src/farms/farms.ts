import type { Clock } from '@steward/service-kit/clock';
import type { FarmChanged } from '@steward/shared/api/answers/farms';
import { type Command, commands } from '@steward/shared/bridge/commands';
import type { SavedFarm } from '@steward/shared/bridge/farms';
import type { GameSettings } from '@steward/shared/bridge/settings';
import type { DrainWhen } from '@steward/shared/drain';
import { Problem, type ProblemExtras } from '@steward/shared/problems/problem';
import { comesToPass } from '../game/awaited.ts';
import type { GameBridge } from '../game/game-bridge.ts';
import { gameUnavailable } from '../game/game-unavailable.ts';
import { appliedOf, type CommandResult, type Ending } from '../game/operations/operation.ts';
import { RecentAnswer } from '../game/recent-answer.ts';
import { isConnected } from '../game/state/bridge-state.ts';

/** A farm that was loaded is shown whole by then. */
const shownMs = 60_000;

/** Whoever asks for the list within this time gets what the game said last, unless Steward has had it go on to another farm since. */
const listStandsMs = 3_000;

/** How players are seen off before. */
export interface Before {
  readonly when?: DrainWhen;
  readonly minutes?: number;
  readonly seconds?: number;
  readonly message?: string;
  /** Go on where the farm that is played cannot be backed up. */
  readonly force?: boolean;
}

type Game = GameSettings['game'];
type Step = (step: string) => Promise<void>;
type FarmCommand = Extract<Command, { readonly name: 'newFarm' | 'loadFarm' }>;

/** A change of farms on its way. */
interface Course {
  readonly before: Before;
  /** Of the operation. */
  readonly id: string;
  readonly step: Step;
}

export interface FarmsParts {
  readonly bridge: Pick<GameBridge, 'state' | 'follow' | 'events' | 'run' | 'ask' | 'operations'>;
  /** Sees players off, and does the work while nobody comes in. */
  readonly closedWhile: <Result>(
    asked: Before & { readonly when: DrainWhen; readonly operationId: string; readonly step: Step },
    work: (isSaved: boolean, begins: () => void) => Promise<Result>,
  ) => Promise<Result>;
  readonly backups: {
    readonly isOn: boolean;
    inTurn<Result>(what: string, work: () => Promise<Result>): Promise<Result>;
    make(
      backup: { readonly why: 'before-farm-change' },
      operationId: string,
    ): Promise<{ readonly id: string }>;
  };
  /** What new farms are made from. */
  readonly settings: { readonly view: { readonly effective: GameSettings }; sentToGame(game: Game): void };
  readonly clock: Pick<Clock, 'after' | 'now'>;
}

/** Which farms there are, and which is played: seen off, saved and backed up before the game goes on to another. */
export class Farms {
  readonly #parts: FarmsParts;
  readonly #list: RecentAnswer<readonly SavedFarm[]>;
  readonly #stopping = new AbortController();

  constructor(parts: FarmsParts) {
    this.#parts = parts;
    this.#list = new RecentAnswer(() => this.#ask(), listStandsMs, parts.clock);
  }

  /** What an earlier process began has ended with it, but for what the game was told: that is unknown, and `GET /farms` tells. */
  load(): void {
    const restarted = 'the control API was restarted';
    const notSent = `${restarted} before it sent the command to the game: the old farm stays loaded`;
    const sent = `${restarted} while the game went on to another farm: GET /farms shows which is loaded`;
    this.#parts.bridge.operations.decide(['createFarm', 'changeFarm'], ({ step }) =>
      step === 'switching'
        ? { state: 'unknown', why: sent, forGood: true }
        : { state: 'void', why: notSent, notDurable: true },
    );
  }

  /** A farm that the game goes on to is not waited for any more. */
  stop(): void {
    this.#stopping.abort();
  }

  list(): Promise<readonly SavedFarm[]> {
    return this.#list.get();
  }

  async #ask(): Promise<readonly SavedFarm[]> {
    return (await this.#parts.bridge.ask('farms')).farms;
  }

  /** What is not named is as the settings say. */
  create(
    named: Readonly<Partial<Game>>,
    before: Before,
    idempotencyKey: string | undefined,
  ): Promise<CommandResult> {
    const { bridge } = this.#parts;
    const request = { name: 'createFarm', named, before };
    return bridge.operations.carryOut(
      { name: 'createFarm', request, idempotencyKey },
      async ({ id }, step) => {
        this.#demand('newFarm', before);
        const game = this.#madeFrom(named);
        return this.#change({ name: 'newFarm', params: { game } }, game.farmName, { before, id, step });
      },
      { answersBegun: true },
    );
  }

  open(farmId: string, before: Before, idempotencyKey: string | undefined): Promise<CommandResult> {
    const { bridge } = this.#parts;
    const request = { name: 'changeFarm', farmId, before };
    return bridge.operations.carryOut(
      { name: 'changeFarm', request, idempotencyKey },
      async ({ id }, step) => {
        this.#demand('loadFarm', before);
        const farm = (await this.#ask()).find((each) => each.id === farmId);
        if (farm === undefined)
          throw new Problem('farm-not-found', `The game has no save ${farmId}: GET /farms lists all saves`);
        return this.#change({ name: 'loadFarm', params: { farmId } }, farm.farmName, { before, id, step });
      },
      { answersBegun: true },
    );
  }

  /** What another server tells of its settings counts there, and not our file. */
  #madeFrom(named: Readonly<Partial<Game>>): Game {
    const { bridge, settings } = this.#parts;
    const told = Object.entries(bridge.state.selfHosted?.settings.game ?? {});
    const theirs = Object.fromEntries(told.filter(isInOurForm)) as Partial<Game>;
    return { ...settings.view.effective.game, ...theirs, ...named };
  }

  get #hasFarm(): boolean {
    const { selfHosted, sections } = this.#parts.bridge.state;
    return selfHosted !== undefined || sections.farm !== null;
  }

  /** What is known to fail fails before any player has to leave. */
  #demand(name: 'newFarm' | 'loadFarm', { force = false }: Before): void {
    const { bridge, backups } = this.#parts;
    const { game, link } = bridge.state;
    if (!isConnected(link.status)) throw notNow(`No game is connected: ${link.reason}`);
    if (game?.capabilities.includes(name) !== true)
      throw new Problem('not-supported-by-game', `The connected game has no ${name}`);
    if (!backups.isOn && this.#hasFarm && !force)
      throw new Problem(
        'backups-off',
        'The current farm cannot be backed up first: set BACKUP_DIR and GAME_SAVES_DIR, or send force=true to continue without a backup',
      );
  }

  #change(
    command: FarmCommand,
    farmName: string,
    { before, id: operationId, step }: Course,
  ): Promise<Ending> {
    const { when = 'now', message = 'another farm is being loaded', ...more } = before;
    const work = async (isSaved: boolean, begins: () => void) => {
      const farmId = this.#farmId;
      const backupId = await this.#backUp(before, operationId, step);
      begins();
      await step('switching');
      const loadedId = await this.#switch(command, operationId);
      const loaded = loadedId === undefined ? {} : { farmId: loadedId };
      const after: FarmChanged = {
        ...loaded,
        farmName,
        isSaved,
        ...(backupId === undefined ? {} : { backupId }),
      };
      this.#tell(command, after, operationId);
      const was = farmId === undefined ? {} : { farmId };
      return { state: 'applied', outcome: { outcome: 'applied', before: was, after } } satisfies Ending;
    };
    const { bridge, closedWhile } = this.#parts;
    // Who plays on another server is for that one to see off.
    const isTheirs = bridge.state.selfHosted !== undefined;
    const done = isTheirs
      ? work(false, () => {})
      : closedWhile({ when, message, ...more, operationId, step }, work);
    return done.catch((error: unknown) => endingOf(error));
  }

  get #farmId(): string | undefined {
    return this.#parts.bridge.state.sections.farm?.farmId;
  }

  async #backUp({ force = false }: Before, operationId: string, step: Step): Promise<string | undefined> {
    const { backups } = this.#parts;
    if (!backups.isOn || !this.#hasFarm) return undefined;
    await step('backing-up');
    const make = () => backups.make({ why: 'before-farm-change' }, operationId);
    try {
      return (await backups.inTurn('the game is about to load another farm', make)).id;
    } catch (error) {
      // A stop is not that it cannot be backed up.
      if (force && !this.#stopping.signal.aborted) return undefined;
      throw error;
    }
  }

  /** The id of the farm that is loaded then, where the game tells. */
  async #switch(command: FarmCommand, partOf: string): Promise<string | undefined> {
    const { bridge, settings } = this.#parts;
    // Whoever sees the farm first takes it to be made from this.
    if (command.name === 'newFarm') settings.sentToGame(command.params.game);
    try {
      const result = await bridge.run(command, { partOf });
      const farmId = appliedOf(result)?.outcome.after['farmId'];
      if (appliedOf(result) === undefined) throw problemOf(result);
      const id = typeof farmId === 'string' ? farmId : undefined;
      await this.#shown(id);
      return id;
    } finally {
      this.#list.forget();
      settings.sentToGame(settings.view.effective.game);
    }
  }

  /** Players come in once the farm is there that they are to find; a service that stops lets nobody in, and shows nothing more. */
  async #shown(farmId: string | undefined): Promise<void> {
    const { bridge, clock } = this.#parts;
    const { signal } = this.#stopping;
    const isShown = () => {
      const { link, isWhole, sections, selfHosted } = bridge.state;
      if (!isWhole || !isConnected(link.status) || sections.status?.isReady !== true) return false;
      // Another server tells no id of its farm.
      return farmId === undefined || selfHosted !== undefined || sections.farm?.farmId === farmId;
    };
    try {
      await comesToPass(isShown, shownMs, { clock, follow: (changed) => bridge.follow(changed), signal });
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  #tell({ name }: FarmCommand, { farmId, farmName }: FarmChanged, operationId: string): void {
    const isNew = name === 'newFarm';
    const which = farmId === undefined ? {} : { farmId };
    this.#parts.bridge.events.append({
      type: 'farm.loaded',
      data: { ...which, farmName, isNew, operationId },
    });
  }
}

function notNow(why: string, extras: ProblemExtras = {}): Problem {
  return gameUnavailable(`${why}: nothing was changed; try again later`, extras);
}

/** Another server may write a setting in a form of its own: that one cannot be passed on, and all others can. */
function isInOurForm([name, value]: readonly [string, unknown]): boolean {
  const { shape } = commands.newFarm.params.shape.game;
  return Object.hasOwn(shape, name) && shape[name as keyof Game].safeParse(value).success;
}

/**
 * Called off it has ended, also before anybody was told that it had begun: that is no failure of what was asked. Where the game may have
 * done it, or do it still, the same request is not to be carried out again.
 */
function endingOf(error: unknown): Ending {
  if (!(error instanceof Problem)) throw error;
  const { code, message: why } = error;
  if (code === 'command-void') return { state: 'void', why };
  if (code === 'outcome-unknown') return { state: 'unknown', why, forGood: true };
  throw error;
}

/** Why the game has not gone on to it. */
function problemOf(result: CommandResult): Problem {
  if (result.kind === 'unavailable') return notNow(result.reason);
  if (result.kind !== 'operation')
    return new Problem('not-supported-by-game', 'The connected game cannot load another farm');
  const { state, outcome, why = 'the game has not said how it ended', id } = result.operation;
  const operation = { operationId: id };
  if (state === 'refused' && outcome?.outcome === 'refused') {
    if (outcome.code === 'not-ready' || outcome.code === 'saving' || outcome.code === 'busy')
      return notNow(outcome.message, operation);
    const code = refusals[outcome.code as keyof typeof refusals] ?? 'command-failed';
    return new Problem(code, outcome.message, operation);
  }
  return state === 'void'
    ? new Problem('command-void', `The game refused it: ${why}`, operation)
    : new Problem('outcome-unknown', `${why}: GET /farms shows which farm is loaded`, operation);
}

const refusals = {
  'not-found': 'farm-not-found',
  'players-online': 'players-online',
  unsupported: 'not-supported-by-game',
} as const;
