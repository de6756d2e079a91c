import { join } from 'node:path';
import type { Clock } from '@steward/service-kit/clock';
import { secretNames } from '@steward/service-kit/configuration/variable';
import type { Log } from '@steward/service-kit/log/logger';
import { OperatorError } from '@steward/service-kit/process/errors';
import type { StewardEvent } from '@steward/shared/events/event-data';
import { type ControlApiConfiguration, variables } from '../configuration.ts';
import type { ExistingBridgeParts } from '../game/existing/existing-game-bridge.ts';
import { existingBackoff, existingLimits } from '../game/existing/existing-limits.ts';
import type { GameBridge } from '../game/game-bridge.ts';
import { JsonRpcGameBridge } from '../game/json-rpc/json-rpc-game-bridge.ts';
import { gameEnvironment, misplacedSecrets, readGameCommand } from '../game/modes/game-command.ts';
import { processStarter } from '../game/modes/game-process.ts';
import { ListenMode, parseListenAddress } from '../game/modes/listen-mode.ts';
import type { BridgeMode } from '../game/modes/mode.ts';
import { restartBackoff, SpawnMode, spawnLimits } from '../game/modes/spawn-mode.ts';
import type { OperationStore } from '../game/operations/operations.ts';
import type { GameQuestions } from '../game/questions/game-questions.ts';
import type { Events } from '../game/state/event-log.ts';
import { bridgeLimits } from '../game/state/limits.ts';
import type { Store } from '../store/store.ts';

export interface ComposeParts {
  readonly configuration: ControlApiConfiguration;
  readonly questions: GameQuestions;
  readonly version: string;
  readonly log: Log;
  readonly store: Pick<Store, 'operations'>;
  readonly events: Events<StewardEvent>;
  readonly clock: Clock;
  /** Of the pauses between two starts of a game. */
  readonly retryClock: Clock;
  readonly random: () => number;
  readonly replacements: BridgeReplacements;
}

/** What takes the place of a part, for who plays the game itself. */
export interface BridgeReplacements {
  readonly mode?: BridgeMode;
  readonly store?: OperationStore;
  readonly newCommandId?: () => string;
}

type ExistingParts = Pick<ExistingBridgeParts, 'url' | 'key' | 'existingLimits' | 'random' | 'backoff'>;

/** The bridge that the configuration asks for, not started yet. */
export async function composeBridge(parts: ComposeParts): Promise<GameBridge> {
  const { questions, version, log, clock, store, events, replacements } = parts;
  const misplaced = misplacedSecrets(process.env);
  if (misplaced !== undefined) log.warn({}, misplaced);
  const composed = replacements.mode ?? partsOfMode(parts);
  const common = {
    log,
    clock,
    limits: bridgeLimits,
    store: replacements.store ?? store.operations(),
    events,
  };
  if ('url' in composed) {
    // Loaded where it is wanted: most servers have a game of their own.
    const { ExistingGameBridge } = await import('../game/existing/existing-game-bridge.ts');
    return new ExistingGameBridge({ ...common, ...composed });
  }
  const { newCommandId } = replacements;
  const ids = newCommandId === undefined ? {} : { newCommandId };
  return new JsonRpcGameBridge({ ...common, ...ids, mode: composed, questions, version });
}

/** What stopping the bridge may take at most. */
export function bridgeStopLimitMs({ GAME_STOP_TIMEOUT }: ControlApiConfiguration): number {
  return GAME_STOP_TIMEOUT * 1_000 + 2 * spawnLimits.terminateMs;
}

function partsOfMode(parts: ComposeParts): BridgeMode | ExistingParts {
  const { configuration, random } = parts;
  if (configuration.GAME_BRIDGE !== 'existing') return modeOf(parts);
  const { EXISTING_URL: url, EXISTING_API_KEY: key } = configuration;
  if (url === undefined)
    throw new OperatorError('EXISTING_URL is not set: GAME_BRIDGE=existing needs the URL of that server');
  return { url, key, existingLimits, random, backoff: existingBackoff };
}

function modeOf({ configuration, log, clock, retryClock, random }: ComposeParts): BridgeMode {
  const parts = { clock, log };
  if (configuration.GAME_BRIDGE === 'spawn') {
    return new SpawnMode({
      ...parts,
      retryClock,
      command: readGameCommand(configuration.GAME_COMMAND),
      ...(configuration.GAME_MARKER === '' ? {} : { marker: configuration.GAME_MARKER }),
      stopMs: configuration.GAME_STOP_TIMEOUT * 1_000,
      backoff: restartBackoff,
      random,
      startProcess: processStarter(
        gameEnvironment(configuration.GAME_ENV, process.env, secretNames(variables)),
      ),
    });
  }
  const text = configuration.GAME_BRIDGE_LISTEN || `unix:${join(configuration.STATE_DIR, 'game.sock')}`;
  const address = parseListenAddress(text);
  if (!address.ok) throw new OperatorError(`GAME_BRIDGE_LISTEN "${text}" ${address.reason}`);
  const secret = configuration.GAME_BRIDGE_SECRET;
  if (address.value.kind === 'unix')
    return new ListenMode({ ...parts, address: address.value, secret: undefined });
  if (secret === undefined)
    throw new OperatorError(
      'GAME_BRIDGE_SECRET is not set: a game that connects over TCP must send a secret; make one with `openssl rand -base64 32`',
    );
  return new ListenMode({ ...parts, address: address.value, secret });
}
