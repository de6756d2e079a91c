import { serverSettings } from '@steward/shared/bridge/settings';
import { Problem } from '@steward/shared/problems/problem';
import type { GameBridge } from '../bridge/game-bridge.ts';
import { runCommand } from '../commands/run-command.ts';
import { isConnected } from '../readiness/connected.ts';
import type { ServerChanges } from './edit.ts';
import type { PreparedChange, Settings } from './settings.ts';

export interface SettingsChanged extends Pick<PreparedChange, 'before' | 'after'> {
  /** Absent where no game was told: it hears of it when it comes. */
  readonly operationId?: string;
}

/**
 * Tells the game first and writes then: what the game refuses is not in the file, and an answer that is an error has
 * changed neither. Without a game the file alone changes.
 */
export function changeSettings(
  { bridge, settings }: { bridge: GameBridge; settings: Settings },
  changes: ServerChanges,
  idempotencyKey: string | undefined,
): Promise<SettingsChanged> {
  return settings.exclusively(async () => {
    const change = await settings.prepare(changes);
    const { before, after } = change;
    if (!canBeTold(bridge)) {
      await settings.write(change);
      return { before, after };
    }
    const command = { name: 'applySettings', params: { settings: after } } as const;
    const { operationId, outcome } = await runCommand(bridge, command, idempotencyKey);
    await settings.write(change);
    const inGame = serverSettings.safeParse(outcome.after['server']);
    if (inGame.success) settings.told(inGame.data);
    return { before, after, operationId };
  });
}

function canBeTold({ state }: GameBridge): boolean {
  return isConnected(state.link.status) && state.game?.capabilities.includes('applySettings') === true;
}

/** A request that names nothing to change is a mistake. */
export function requireChanges(changes: ServerChanges, names: readonly string[]): void {
  if (Object.keys(changes).length > 0) return;
  throw new Problem('missing-parameter', `Name at least one setting: ${names.join(', ')}`);
}
