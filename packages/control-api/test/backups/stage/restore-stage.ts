import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, systemClock } from '@steward/service-kit/clock';
import { readConfiguration } from '@steward/service-kit/configuration/read';
import { createLogger } from '@steward/service-kit/log/logger';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import type { Archivist } from '../../../src/backups/archive/archivist.ts';
import { variables } from '../../../src/configuration.ts';
import { returnMs } from '../../../src/game/awaited.ts';
import { processStarter } from '../../../src/game/modes/game-process.ts';
import { restartBackoff, SpawnMode } from '../../../src/game/modes/spawn-mode.ts';
import { composeService } from '../../../src/service.ts';
import type { Service } from '../../../src/service-parts.ts';
import { gameCommand, stateThat } from '../../game/stage/process-stage.ts';
import { MemoryMode, quiet } from '../../game/stage/stage.ts';
import { borrowedThread } from '../../store/threads.ts';
import { oneArchivist } from './one-archivist.ts';

/** The folder of the scripted game's farm, which is called like the farm. */
export const meadow = 'Meadow_1';

export interface Places {
  readonly root: string;
  readonly state: string;
  readonly saves: string;
  readonly backups: string;
  readonly settings: string;
}

export function placesIn(root: string): Places {
  const places = {
    root,
    state: join(root, 'state'),
    saves: join(root, 'saves'),
    backups: join(root, 'backups'),
    settings: join(root, 'settings', 'server-settings.json'),
  };
  mkdirSync(places.saves, { recursive: true });
  return places;
}

export function environmentOf({ state, saves, backups, settings }: Places): Record<string, string> {
  return {
    STATE_DIR: state,
    SETTINGS_PATH: settings,
    GAME_SAVES_DIR: saves,
    BACKUP_DIR: backups,
    PLATFORM_AUTH_URL: '',
  };
}

/** As it starts the scripted game, which keeps its farm among the saves. */
export function commandIn({ root, saves }: Places): string[] {
  mkdirSync(join(saves, meadow), { recursive: true });
  const [node = '', program = ''] = gameCommand(root);
  return [node, program, '--save', join(saves, meadow, meadow), '--trace', join(root, 'trace')];
}

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

export interface RestoreStage extends AsyncDisposable {
  readonly places: Places;
  readonly service: Service;
  readonly events: { readonly type: string; readonly data: Record<string, unknown> }[];
  ask(method: 'GET' | 'POST' | 'DELETE', url: string, key?: string): Promise<Answer>;
  /** The id of a backup that is made now. */
  backup(query?: string): Promise<string>;
  live(): Promise<void>;
  /** Stops the service in order. */
  stop(): Promise<void>;
}

/** So many requests come from one address, fewer than it may send in a minute. */
const asksFromEach = 50;

/** The whole service over a disk, with a game that it starts itself, or one that may dial in. */
export async function restoreStage({
  at,
  spawns = false,
  environment = {},
  archivist = oneArchivist,
  clock,
}: {
  readonly at?: string;
  readonly spawns?: boolean;
  readonly environment?: Record<string, string>;
  readonly archivist?: Archivist;
  /** Without one, so much time has passed before each restore that no game can be between two connections. */
  readonly clock?: Clock;
} = {}): Promise<RestoreStage & { readonly mode: MemoryMode }> {
  const own = at === undefined ? temporaryDirectory() : undefined;
  const places = placesIn(at ?? own?.path ?? '');
  const memory = new MemoryMode();
  const mode = spawns
    ? new SpawnMode({
        command: commandIn(places),
        stopMs: 10_000,
        backoff: restartBackoff,
        random: Math.random,
        startProcess: processStarter(process.env),
        clock: systemClock,
        retryClock: systemClock,
        log: quiet,
      })
    : memory;
  let aheadMs = 0;
  const ahead: Clock = { ...systemClock, date: () => new Date(Date.now() + aheadMs) };
  const service = await composeService({
    configuration: readConfiguration(variables, { ...environmentOf(places), ...environment }),
    version: '0.1.0',
    logger: createLogger('test', { LOG_LEVEL: 'silent', LOG_FORMAT: 'json' }, process.stderr),
    clock: clock ?? ahead,
    retryClock: systemClock,
    random: Math.random,
    bridge: environment['GAME_BRIDGE'] === undefined ? { mode } : {},
    archivist,
    startWriter: borrowedThread,
  });
  const events: RestoreStage['events'] = [];
  service.bridge.events.follow(({ event: { type, data } }) => events.push({ type, data }));
  await service.start();
  await service.app.ready();
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= service.stop();
    return stopped;
  };
  const { API_KEY: owner } = environment;
  const authorization = owner === undefined ? {} : { authorization: `Bearer ${owner}` };
  let asked = 0;
  const ask: RestoreStage['ask'] = async (method, url, key) => {
    const headers = { ...authorization, ...(key === undefined ? {} : { 'idempotency-key': key }) };
    const remoteAddress = `127.0.0.${1 + Math.floor(asked / asksFromEach)}`;
    asked += 1;
    if (url.startsWith('/backups/restore')) aheadMs += returnMs;
    const { statusCode, body } = await service.app.inject({ method, url, headers, remoteAddress });
    return { status: statusCode, body: JSON.parse(body) as Record<string, unknown> };
  };
  return {
    places,
    service,
    events,
    mode: memory,
    ask,
    stop,
    async backup(query = '') {
      const { status, body } = await ask('POST', `/backups${query}`);
      if (status !== 200) throw new Error(JSON.stringify(body));
      return (body['backup'] as { readonly id: string }).id;
    },
    async live() {
      await stateThat(service.bridge, ({ link, isWhole }) => link.status === 'live' && isWhole);
    },
    async [Symbol.asyncDispose]() {
      await stop();
      own?.[Symbol.dispose]();
    },
  };
}
