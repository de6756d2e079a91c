import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shipped } from '@steward/tools/bundle/bundle';
import { controlApiEnvironment, type ServerProcess, startServer } from '../server-process.ts';
import { GrowingGame } from './growing-game.ts';

/** Beyond anything that a measurement reaches, as an operator can set it. */
const outOfTheWay = {
  WS_MAX_CONNECTIONS: '100000',
  WS_MAX_CONNECTIONS_PER_ADDRESS: '100000',
  WS_MAX_UNAUTHENTICATED: '100000',
  WS_PING_SECONDS: '3600',
};

export interface GrownService {
  readonly server: ServerProcess;
  readonly game: GrowingGame;
  /** What the service answers now. */
  read(path: string): Promise<Record<string, unknown>>;
}

/** Has the whole control API, with a game, for as long as something is measured. */
export async function withService<T>(
  measure: (service: GrownService) => Promise<T>,
  environment: NodeJS.ProcessEnv = {},
): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'steward-bench-'));
  using api = await shipped('control-api');
  const server = await startServer(api.main, {
    ...controlApiEnvironment(directory),
    ...outOfTheWay,
    ...environment,
  });
  const game = await GrowingGame.dial(join(directory, 'game.sock'));
  const read = async (path: string) =>
    (await (await fetch(`${server.origin}${path}`)).json()) as Record<string, unknown>;
  try {
    while ((await read('/status'))['isOnline'] !== true);
    return await measure({ server, game, read });
  } finally {
    await game.close();
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}
