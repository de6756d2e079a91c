import { serverSettings } from '@steward/shared/bridge/settings';
import type { GameBridge } from '../game/game-bridge.ts';
import { type Applied, appliedOf, type CommandResult } from '../game/operations/command-result.ts';
import type { SettingsFileChange } from '../game/operations/operation.ts';
import type { RunOptions } from '../game/operations/run-options.ts';
import { isConnected } from '../game/state/link-state.ts';
import { SettingsFileError, SettingsNotApplied } from './change-errors.ts';
import type { ServerChanges } from './edit.ts';
import { named } from './late-change.ts';
import type { PreparedChange } from './prepared-change.ts';
import type { Settings } from './settings.ts';
import { orDiscard } from './settings-file.ts';

export interface SettingsChanged extends SettingsFileChange {
  readonly operationId: string;
}

interface Parts {
  readonly bridge: GameBridge;
  readonly settings: Settings;
}

/**
 * Writes beside the file first, then tells the game, and puts the file in its place last: what the game refuses is not in
 * the file, and what no disk would take the game never hears of. Without a game, or with one that takes no settings while it runs, the file alone changes: it is not
 * the game's, and a setting that keeps a game from running must be mendable.
 */
export function changeSettings(
  { bridge, settings }: Parts,
  changes: ServerChanges,
  idempotencyKey: string | undefined,
): Promise<SettingsChanged> {
  const request = { name: 'applySettings', changes };
  return settings.exclusively(async () => {
    const known = await bridge.recall(request, idempotencyKey);
    const first = known === undefined ? undefined : appliedBy(known);
    if (first?.settingsFile !== undefined) return { ...first.settingsFile, operationId: first.operationId };
    const change = await settings.prepare(changes);
    const written = {
      before: named(change.before.server, changes),
      after: named(change.after.server, changes),
    };
    const asked = { idempotencyKey, request, settingsAsked: written };
    const staged = await settings.stage(change);
    // The game may have been told before, and the file could not be put in its place then.
    const told = first ?? (await orDiscard(staged, () => tell({ bridge, settings }, change, asked)));
    await staged.publish().catch((error) => {
      throw told === undefined ? error : onlyInGame(error, told);
    });
    const options = { idempotencyKey, request, operationId: told?.operationId };
    const { id } = await bridge.settingsWritten(written, options);
    return { ...written, operationId: id };
  });
}

function onlyInGame(error: unknown, { operationId }: Applied): unknown {
  if (!(error instanceof SettingsFileError)) return error;
  const detail = `The game has it until it is started again, and the settings file has not: ${error.message}. Send the request again`;
  return new SettingsFileError(error.code, detail, operationId);
}

async function tell(
  { bridge, settings }: Parts,
  { after }: PreparedChange,
  options: RunOptions,
): Promise<Applied | undefined> {
  if (!canBeTold(bridge)) return undefined;
  const command = { name: 'applySettings', params: { settings: after } } as const;
  const result = await bridge.run(command, options);
  // Its file is written when the game tells how it ended.
  if (result.kind === 'operation' && result.operation.state === 'unknown')
    settings.mayBeTold(result.operation.id, after.game);
  const applied = appliedBy(result);
  const inGame = serverSettings.safeParse(applied.outcome.after['server']);
  if (inGame.success) settings.told(after.game, inGame.data);
  return applied;
}

function canBeTold({ state }: GameBridge): boolean {
  return isConnected(state.link.status) && state.game?.capabilities.includes('applySettings') === true;
}

function appliedBy(result: CommandResult): Applied {
  const applied = appliedOf(result);
  if (applied === undefined) throw new SettingsNotApplied(result);
  return applied;
}
