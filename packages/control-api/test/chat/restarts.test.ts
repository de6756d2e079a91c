import { connect } from 'node:net';
import { freePort } from '@steward/testing/free-port';
import { overSocket, ScriptedGame } from '@steward/testing/game/scripted-game';
import { Program } from '@steward/testing/program';
import { count, seed } from '@steward/testing/scale';
import { seededRandom } from '@steward/testing/seeded-random';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { key } from './stage/chat-stage.ts';
import { Follower } from './stage/follower.ts';

const disconnects = count({ small: 24, long: 10_000 });
const restarts = count({ small: 2, long: 200 });

/** The control API as a process with a game that talks, and three who listen to it over disconnects. */
class Farm implements AsyncDisposable {
  said = 0;
  readonly followers: readonly Follower[];
  readonly #directory = temporaryDirectory();
  readonly #game = new ScriptedGame();
  readonly #port: number;
  #api: Program | undefined;

  constructor(port: number) {
    this.#port = port;
    this.followers = [1, 2, 3].map(() => new Follower(`ws://127.0.0.1:${port}/ws`, key));
  }

  async start(): Promise<void> {
    const { path } = this.#directory;
    const api = new Program('packages/control-api/src/main.ts', [], {
      API_HOST: '127.0.0.1',
      API_PORT: String(this.#port),
      API_KEY: key,
      STATE_DIR: path,
      SETTINGS_PATH: `${path}/server-settings.json`,
      PLATFORM_AUTH_URL: '',
    });
    this.#api = api;
    await api.line(/listening on http/);
    await this.#game.connect(overSocket(connect(`${path}/game.sock`)));
    for (const follower of this.followers) await follower.connect();
  }

  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    this.#api?.kill(signal);
    await this.#api?.exited;
    for (const follower of this.followers) follower.cut();
  }

  say(times: number): void {
    for (let time = 0; time < times; time += 1) {
      this.said += 1;
      this.#game.happens({ kind: 'chat', playerId: '5512', playerName: 'Ann', message: String(this.said) });
    }
  }

  async allHear(): Promise<void> {
    for (const follower of this.followers) await follower.hearUntil(String(this.said));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const follower of this.followers) follower.cut();
    await this.#api?.[Symbol.asyncDispose]();
    this.#directory[Symbol.dispose]();
  }
}

it.each(['SIGTERM', 'SIGKILL'] as const)(
  `over ${disconnects} disconnects and ${restarts} restarts nothing is doubled, and nothing lost or the loss told: %s`,
  { timeout: 3_600_000 },
  async (signal) => {
    const random = seededRandom(seed);
    const next = (most: number) => Math.floor(random() * most);
    await using farm = new Farm(await freePort());
    const { followers } = farm;
    const [witness] = followers;
    /** What had been said when each process ended. */
    const ends: number[] = [];
    await farm.start();
    for (let restart = 0; restart < restarts; restart += 1) {
      for (let cut = 0; cut < disconnects / restarts; cut += 1) {
        const follower = followers[1 + next(2)];
        farm.say(next(4));
        await follower?.hear(next(6));
        follower?.cut();
        farm.say(next(4));
        await follower?.connect();
      }
      // Somebody is away over the restart: what they miss, memory does not know then.
      followers[1 + next(2)]?.cut();
      farm.say(1 + next(50));
      // What the game has told and the service not yet read is nobody's.
      if (signal === 'SIGTERM' || restart % 2 === 0) await witness?.hearUntil(String(farm.said));
      ends.push(farm.said);
      const gaps = followers.map((each) => each.gaps);
      await farm.end(signal);
      await farm.start();
      farm.say(1);
      await farm.allHear();
      expect(followers.map((each, index) => each.gaps - (gaps[index] ?? 0))).toEqual(
        followers.map(() => (signal === 'SIGKILL' ? 1 : 0)),
      );
    }
    for (const { heard } of followers) {
      const numbers = heard.map(Number);
      const holes = numbers.flatMap((number, index) => {
        const before = numbers[index - 1] ?? 0;
        return number === before + 1 ? [] : [{ before, number }];
      });
      const untold = holes.filter(
        ({ before, number }) =>
          signal === 'SIGTERM' || number <= before || !ends.some((end) => before <= end && end < number),
      );
      expect(untold).toEqual([]);
    }
  },
);
