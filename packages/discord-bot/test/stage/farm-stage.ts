import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { steward } from '@steward/client';
import { variables } from '@steward/control-api/configuration';
import { composeService } from '@steward/control-api/service';
import { systemClock } from '@steward/service-kit/clock';
import { readConfiguration } from '@steward/service-kit/configuration/read';
import { createLogger } from '@steward/service-kit/log/logger';
import { freePort } from '@steward/testing/free-port';
import { emptyFarm, robin, slot } from '@steward/testing/game/empty-farm';
import { overSocket, ScriptedGame } from '@steward/testing/game/scripted-game';
import { temporaryDirectory } from '@steward/testing/temporary-directory';

const host = '127.0.0.1';
const tickMs = 200;

export const key = 'k3y';

interface FarmOptions {
  /** Who plays. */
  readonly players?: readonly (typeof robin)[];
}

/** The real control API with a scripted game; it can be stopped and started again at the same place. */
export async function farmStage({ players = [robin] }: FarmOptions = {}) {
  const directory = temporaryDirectory();
  const socketPath = join(directory.path, 'game.sock');
  const port = await freePort();
  const url = `http://${host}:${port}`;
  const farmhands = [slot(robin.id, robin.name)];
  const state = { ...emptyFarm(), players: [...players], farmhands };
  const game = new ScriptedGame({ state, tickMs });
  let service: Awaited<ReturnType<typeof composeService>> | undefined;
  let hasEnded = Promise.resolve();

  let heard = () => {};
  const push = game.said.push.bind(game.said);
  game.said.push = (...more) => {
    const length = push(...more);
    heard();
    return length;
  };
  let isUp = false;

  const connectGame = async () => {
    const socket = connect(socketPath);
    socket.on('error', () => {});
    await once(socket, 'connect');
    hasEnded = new Promise((resolve) => {
      socket.once('close', () => resolve());
    });
    await game.connect(overSocket(socket));
  };
  const start = async () => {
    service = await composeService({
      configuration: readConfiguration(variables, {
        STATE_DIR: directory.path,
        SETTINGS_PATH: join(directory.path, 'server-settings.json'),
        GAME_BRIDGE_LISTEN: `unix:${socketPath}`,
        PLATFORM_AUTH_URL: '',
        API_KEY: key,
        STOP_DRAIN_SECONDS: '0',
      }),
      version: '0.1.0',
      logger: createLogger('farm', { LOG_LEVEL: 'silent', LOG_FORMAT: 'json' }, process.stderr),
      clock: systemClock,
      retryClock: systemClock,
      random: Math.random,
      // The 120 writes that an address has in a minute would be all that a test does.
      writes: { attempts: Number.POSITIVE_INFINITY, windowMs: 60_000 },
    });
    await service.start();
    await service.app.listen({ host, port });
    await connectGame();
    isUp = true;
  };
  const stop = async () => {
    isUp = false;
    await service?.stop(0);
    service = undefined;
    await hasEnded;
  };
  await start();

  return {
    url,
    game,
    start,
    stop,
    /** Whether the game is heard. */
    get isUp() {
      return isUp;
    },
    /** Told when the game shows something. */
    onSaid(listener: () => void): void {
      heard = listener;
    },
    /** As whoever has its key asks it. */
    farm: steward({ url, key }),
    /** What players see of what others than players say. */
    get said(): readonly string[] {
      return game.said.map(({ author, message }) => `${author}: ${message}`);
    },
    /** Somebody who plays says it. */
    say(message: string, playerName = robin.name): void {
      game.happens({ kind: 'chat', playerId: robin.id, playerName, message });
    },
    async [Symbol.asyncDispose]() {
      await stop();
      directory[Symbol.dispose]();
    },
  };
}
