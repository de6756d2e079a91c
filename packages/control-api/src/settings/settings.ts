import { isDeepStrictEqual } from 'node:util';
import type { StagedFile } from '@steward/service-kit/files/replace-file';
import type { Logger } from '@steward/service-kit/log/logger';
import { errorCode } from '@steward/service-kit/process/errors';
import { defaultSettings, type GameSettings, serverSettings } from '@steward/shared/bridge/settings';
import type { StewardEvent } from '@steward/shared/events/event-data';
import type { Parsed } from '@steward/shared/parsed';
import { settingsChanged } from '../game/differing-settings.ts';
import type { GameBridge } from '../game/game-bridge.ts';
import type { Operation } from '../game/operations/operation.ts';
import { defaultDocument, editServer, readSettings, type ServerChanges } from './document.ts';
import type { FarmOrigins } from './farm-origins.ts';
import { type SettingsFile, SettingsFileError } from './settings-file.ts';

/** Settings as they are meant to be, and what the game was last told and said of them. */
export interface SettingsView {
  readonly effective: GameSettings;
  /** What the farm was made from that the game has, or had last; undefined before the first. */
  readonly madeFrom: GameSettings['game'] | undefined;
  /** The server section that the game has in effect, as far as is known. */
  readonly inGame: GameSettings['server'] | undefined;
  /** Why the file counts for nothing, where it cannot be read. */
  readonly unreadable: string | undefined;
}

/** A change that has been worked out and not yet been written. */
export interface PreparedChange {
  readonly before: GameSettings;
  readonly after: GameSettings;
  /** What the file is to hold; undefined where it holds that already. */
  readonly content: string | undefined;
}

type SettingsLog = Pick<Logger, 'info' | 'warn' | 'error'>;

/** The one owner of the settings file. */
export class Settings {
  readonly #file: SettingsFile;
  readonly #log: SettingsLog;
  readonly #origins: FarmOrigins | undefined;
  #view: SettingsView = {
    effective: defaultSettings,
    madeFrom: undefined,
    inGame: undefined,
    unreadable: undefined,
  };
  #isLoaded = false;
  /** What the file said first, in a process that has not loaded it: a command that is the service for itself alone. */
  #found: ReturnType<typeof settingsIn> | undefined;
  #sentToGame = defaultSettings.game;
  /** The operations that tell the game of settings, of those that it has taken up since its hello. */
  readonly #beingSent = new Set<string>();
  #unwritable: string | undefined;
  #tell: (event: StewardEvent) => void = () => {};
  #queue: Promise<unknown> = Promise.resolve();

  /** The defaults, until the file is loaded. */
  constructor(file: SettingsFile, log: SettingsLog, origins?: FarmOrigins) {
    this.#file = file;
    this.#log = log;
    this.#origins = origins;
  }

  /** Reads the file, or makes it with the defaults when there is none. Nothing about it stops the service. */
  async load(): Promise<void> {
    const [file, log, madeFrom] = [this.#file, this.#log, this.#origins?.current];
    this.#isLoaded = true;
    const content = await file.read();
    if (content.ok && content.value === undefined) await createFile(file, log);
    const parsed = settingsIn(content);
    if (!parsed.ok) {
      log.error(
        `${file.path} cannot be read: ${parsed.reason}. The defaults are used, and the file is left unchanged: fix it and restart`,
      );
      this.#view = { ...this.#view, madeFrom, unreadable: parsed.reason };
      return;
    }
    const { settings, warnings } = parsed.value;
    for (const warning of warnings) log.warn(`${file.path}: ${warning}`);
    this.#sentToGame = settings.game;
    this.#view = { ...this.#view, effective: settings, madeFrom };
  }

  /** A new object whenever anything in it has changed. */
  get view(): SettingsView {
    return this.#view;
  }

  /** What a game is told when it says hello. */
  forHello(): GameSettings {
    this.#beingSent.clear();
    this.#sentToGame = this.#view.effective.game;
    this.#view = { ...this.#view, inGame: this.#view.effective.server };
    return this.#view.effective;
  }

  /** What new farms are made from, as the game was told after its hello. */
  sentToGame(game: GameSettings['game']): void {
    this.#sentToGame = game;
  }

  /** Notes what the game says that it has in effect, which farm it has, and what that was made from; and tells of changes. */
  attach(bridge: Pick<GameBridge, 'follow' | 'operations' | 'events'>): void {
    this.#tell = (event) => bridge.events.append(event);
    bridge.operations.follow((operation) => this.#heard(operation));
    bridge.follow(({ sections }) => {
      if (sections.farm) this.#origins?.saw(sections.farm.farmId, this.#sentToGame);
      const madeFrom = this.#origins?.current;
      if (madeFrom !== this.#view.madeFrom) this.#view = { ...this.#view, madeFrom };
    });
  }

  /** One change at a time: each begins from what the one before has written. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work);
    this.#queue = result.catch(() => {});
    return result;
  }

  /** While somebody else puts another file in its place; what that one says counts from then on, and for a game from its next hello. */
  async whileReplaced(replace: () => Promise<void>): Promise<void> {
    await this.exclusively(async () => {
      const before = await this.#file.read();
      if (!this.#isLoaded) this.#found ??= settingsIn(before);
      await replace();
      const content = await this.#file.read();
      if (isDeepStrictEqual(before, content)) return;
      const read = settingsIn(content);
      if (!read.ok) {
        this.#log.error(
          `${this.#file.path} cannot be read: ${read.reason}. The previous settings stay in effect: fix it and restart`,
        );
        this.#view = { ...this.#view, unreadable: read.reason };
        return;
      }
      const { settings, warnings } = read.value;
      for (const warning of warnings) this.#log.warn(`${this.#file.path}: ${warning}`);
      const found = this.#isLoaded ? undefined : this.#found;
      const was = found?.ok === true ? found.value.settings : this.#view.effective;
      const changed = settingsChanged(settings, was);
      this.#isLoaded = true;
      this.#view = { ...this.#view, effective: settings, unreadable: undefined };
      if (changed !== undefined) this.#tell(changed);
    });
  }

  /** Resolves when no change is being written any more. */
  async close(): Promise<void> {
    await this.#queue;
  }

  /** Works a change out from the file as it is now, so that what its owner wrote meanwhile is kept. */
  async prepare(changes: ServerChanges): Promise<PreparedChange> {
    const content = await this.#file.read();
    if (!content.ok) throw unreadable(this.#file.path, content.reason);
    const now = content.value ?? defaultDocument();
    const before = readSettings(now);
    if (!before.ok) throw unreadable(this.#file.path, before.reason);
    const edited = editServer(now, changes);
    const after = read(edited).settings;
    if (!isDeepStrictEqual(after.server, { ...before.value.settings.server, ...changes }))
      throw new Error('the edited settings file would not have the requested values');
    const isWritten = edited === content.value;
    return { before: before.value.settings, after, content: isWritten ? undefined : edited };
  }

  /** As good as written: what a disk may have against it is found before anybody is told of the change. */
  async stage({ content, after }: PreparedChange): Promise<StagedFile> {
    const staged = content === undefined ? undefined : await this.#written(() => this.#file.stage(content));
    return {
      publish: async () => {
        await this.#written(async () => staged?.publish());
        this.#unwritable = undefined;
        const changed = settingsChanged(after, this.#view.effective);
        this.#view = { ...this.#view, effective: after, unreadable: undefined };
        if (changed !== undefined) this.#tell(changed);
      },
      discard: async () => staged?.discard(),
    };
  }

  /** In time or late. A game that has said hello since goes by what it was told then. */
  #heard({ id, command, state, outcome }: Operation): void {
    if (command === 'applySettings' && state === 'claimed') this.#beingSent.add(id);
    if (outcome === undefined || !this.#beingSent.delete(id) || outcome.outcome !== 'applied') return;
    const inGame = serverSettings.safeParse(outcome.after['server']);
    if (inGame.success) this.#view = { ...this.#view, inGame: inGame.data };
  }

  async #written<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const reason = errorCode(error) ?? 'unknown error';
      // What is tried again and again is told of once.
      if (this.#unwritable !== reason)
        this.#log.error({ err: error }, `${this.#file.path} cannot be written`);
      this.#unwritable = reason;
      throw new SettingsFileError(
        'settings-unwritable',
        `The settings file cannot be written (${reason}): it is unchanged. Free some space and let the service write to ${this.#file.path}`,
      );
    }
  }
}

/** Without a file, the defaults. */
function settingsIn(content: Parsed<string | undefined>): ReturnType<typeof readSettings> {
  return content.ok ? readSettings(content.value ?? defaultDocument()) : content;
}

function read(content: string): { settings: GameSettings } {
  const parsed = readSettings(content);
  if (!parsed.ok) throw new Error(`our settings document cannot be read: ${parsed.reason}`);
  return parsed.value;
}

async function createFile(file: SettingsFile, log: Pick<Logger, 'info' | 'warn'>): Promise<void> {
  try {
    await file.replace(defaultDocument());
    log.info(`${file.path} did not exist, and was created with the defaults`);
  } catch (error) {
    log.warn({ err: error }, `${file.path} does not exist and cannot be created: the defaults are used`);
  }
}

function unreadable(path: string, reason: string): SettingsFileError {
  return new SettingsFileError(
    'settings-unreadable',
    `${path} cannot be read: ${reason}. It is left unchanged: fix it first`,
  );
}
