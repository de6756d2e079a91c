import { serverSettings } from '@steward/shared/bridge/settings';
import type { GameBridge } from '../game/game-bridge.ts';
import { appliedOf, type CommandResult, type Ending, type Operation } from '../game/operations/operation.ts';
import { isConnected } from '../game/state/bridge-state.ts';
import type { ServerChanges } from './document.ts';
import type { PreparedChange, Settings } from './settings.ts';
import { orDiscard, SettingsFileError } from './settings-file.ts';

export interface SettingsChanged {
  readonly operationId: string;
  /** Those of the settings that were asked for, as they stood in the file and as they stand there now. */
  readonly before: ServerChanges;
  readonly after: ServerChanges;
  /** Why nobody knows whether the game has it, where it was told and has not said so in time. */
  readonly late: string | undefined;
}

/** The game has not applied a change of settings, and the file is as it was. */
export class SettingsNotApplied extends Error {
  override readonly name = 'SettingsNotApplied';
  readonly result: CommandResult;

  constructor(result: CommandResult) {
    super(result.kind === 'unavailable' ? result.reason : `the game did not get it: ${result.kind}`);
    this.result = result;
  }
}

interface Parts {
  readonly bridge: GameBridge;
  readonly settings: Settings;
}

/** Of what is kept: the first version kept the whole section of a game that was told. */
const some = serverSettings.partial();

/**
 * A change of settings is a change of the file, which is the truth. The game is told before, so that what it refuses in time is not
 * in the file, and after the new content is on the disk, so that what no disk would take it never hears of. Where it is late the
 * file is changed nevertheless: a game that says hello is told what stands there. Without a game, or with one that takes no settings
 * while it runs, nobody is told: a setting that keeps a game from running must be mendable.
 *
 * Where this process is killed after the file is in its place and before the operation is kept, nobody was answered and the key is
 * forgotten: sent again, the same request finds its values in the file already.
 */
export function changeSettings(
  { bridge, settings }: Parts,
  changes: ServerChanges,
  idempotencyKey: string | undefined,
): Promise<SettingsChanged> {
  const request = { name: 'applySettings', changes };
  return settings.exclusively(async () => {
    const game: { operation?: Operation | undefined; alone?: SettingsFileError } = {};
    const command = { name: 'applySettings', request, idempotencyKey } as const;
    const result = await bridge.operations.carryOut(command, async ({ id }): Promise<Ending> => {
      let change = await settings.prepare(changes);
      let staged = await settings.stage(change);
      const sent = await orDiscard(staged, () => sendToGame({ bridge, settings }, change, id));
      if (sent !== undefined && !mayHave(sent)) {
        await staged.discard();
        const { state, why, outcome, notDurable } = sent;
        return { state, why, outcome, notDurable };
      }
      try {
        // The game may have taken its time, and somebody edited the file meanwhile.
        const current = await orDiscard(staged, () => settings.prepare(changes));
        if (current.content !== change.content) {
          await staged.discard();
          change = current;
          staged = await settings.stage(current);
        }
        await staged.publish();
      } catch (error) {
        if (sent === undefined || !(error instanceof SettingsFileError)) throw error;
        game.alone = onlyInGame(error, sent);
        return { state: 'void', why: game.alone.message, notDurable: true };
      }
      game.operation = sent;
      const before = { server: named(change.before.server, changes) };
      const after = { server: named(change.after.server, changes) };
      return { state: 'applied', outcome: { outcome: 'applied', before, after } };
    });
    if (game.alone !== undefined) throw game.alone;
    const applied = appliedOf(result);
    if (applied === undefined) throw new SettingsNotApplied(result);
    const { operationId, outcome } = applied;
    return {
      operationId,
      before: named(some.parse(outcome.before['server']), changes),
      after: named(some.parse(outcome.after['server']), changes),
      late: game.operation?.state === 'unknown' ? (game.operation.why ?? 'it has not said') : undefined,
    };
  });
}

/** What became of telling the game; undefined where there is none that could be told. */
async function sendToGame(
  { bridge, settings }: Parts,
  { after }: PreparedChange,
  partOf: string,
): Promise<Operation | undefined> {
  const { link, game } = bridge.state;
  if (!isConnected(link.status) || game?.capabilities.includes('applySettings') !== true) return undefined;
  const result = await bridge.run({ name: 'applySettings', params: { settings: after } }, { partOf });
  if (result.kind !== 'operation') throw new SettingsNotApplied(result);
  if (mayHave(result.operation)) settings.sentToGame(after.game);
  return result.operation;
}

function mayHave({ state }: Operation): boolean {
  return state !== 'refused' && state !== 'void';
}

function onlyInGame(error: SettingsFileError, { id, state }: Operation): SettingsFileError {
  const has = state === 'applied' ? 'has' : 'may have';
  const detail = `The game ${has} it until it is restarted, but the settings file does not: ${error.message}. Send the request again`;
  return new SettingsFileError(error.code, detail, id);
}

/** Those of the settings that are changed. */
function named(server: object, changes: ServerChanges): ServerChanges {
  return Object.fromEntries(Object.entries(server).filter(([name]) => Object.hasOwn(changes, name)));
}
