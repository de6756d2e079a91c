import { join } from 'node:path';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { shipped } from '@steward/tools/bundle/bundle';
import { type ServerProcess, startControlApi } from '../server-process.ts';
import { GrowingGame } from './growing-game.ts';

/** Beyond anything that a measurement reaches, as an operator can set it. */
const outOfTheWay = {
  WS_MAX_CONNECTIONS: '100000',
  WS_MAX_CONNECTIONS_PER_ADDRESS: '100000',
  WS_MAX_UNAUTHENTICATED: '100000',
  WS_PING_SECONDS: '3600',
  EVENTS_KEEP_COUNT: '10000000',
};

export interface GrownService {
  readonly server: ServerProcess;
  readonly game: GrowingGame;
  /** What the service answers now. */
  read(path: string): Promise<Record<string, unknown>>;
}

interface Wanted {
  /** What is shipped, where it is bundled already. */
  readonly program?: string;
  readonly environment?: NodeJS.ProcessEnv;
  /** Fills its STATE_DIR before it starts. */
  readonly prepare?: (directory: string) => void | Promise<void>;
}

/** Has the whole control API, with a game, for as long as something is measured. */
export async function withService<T>(
  measure: (service: GrownService) => Promise<T>,
  { program, environment = {}, prepare = () => {} }: Wanted = {},
): Promise<T> {
  using directory = temporaryDirectory();
  await prepare(directory.path);
  using api = program === undefined ? await shipped('control-api') : { main: program, [Symbol.dispose]() {} };
  const server = await startControlApi(api.main, directory.path, {
    ...outOfTheWay,
    ...environment,
  });
  try {
    const game = await GrowingGame.dial(join(directory.path, 'game.sock'));
    const { API_KEY } = environment;
    const headers: Record<string, string> =
      API_KEY === undefined ? {} : { authorization: `Bearer ${API_KEY}` };
    const read = async (path: string) =>
      (await (await fetch(`${server.origin}${path}`, { headers })).json()) as Record<string, unknown>;
    try {
      while ((await read('/status'))['isOnline'] !== true);
      return await measure({ server, game, read });
    } finally {
      await game.close();
    }
  } finally {
    await server.stop();
  }
}
