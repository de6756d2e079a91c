import { join } from 'node:path';
import { giveOrder } from '@steward/existing-server-double/control/give-order';
import { startPlatform } from '@steward/platform-emulator/platform';
import type { Platform } from '@steward/platform-emulator/running-platform';
import { parseExact, stringifyExact } from '@steward/shared/json/exact';
import { Program } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { WebSocket } from 'ws';

const gameApp = 413_150;
const account = 'host';
const key = 'ours';
const theirKey = 'theirs';
const secret = 'what-the-mod-cannot-send';
/** Pauses before another login shrink with it, and so does a ticket’s life, which must outlast the platform’s minute between two. */
const sidecarSpeed = '8';
const patienceMs = 30_000;
const pollMs = 50;

/** The existing server's double, our sidecar under it and our control API in front of it, each a process of its own. */
export class ExistingWorld implements AsyncDisposable {
  readonly platform: Platform;
  readonly #directory = temporaryDirectory();
  readonly #programs: Program[] = [];
  #sidecarUrl = '';
  #origin = '';
  #port = '0';
  double: Program | undefined;

  private constructor(platform: Platform) {
    this.platform = platform;
  }

  static async start(): Promise<ExistingWorld> {
    const platform = await startPlatform({
      accounts: [{ name: account, password: 'pass-of-host', owns: [gameApp] }],
    });
    const world = new ExistingWorld(platform);
    const sidecar = world.#run('packages/platform-auth/test/world/fast-sidecar.ts', {
      NODE_OPTIONS: '--conditions=source',
      CLOCK_SPEED: sidecarSpeed,
      HOST: '127.0.0.1',
      PORT: '0',
      SESSION_DIR: join(world.#directory.path, 'session'),
      GAME_DIR: join(world.#directory.path, 'game'),
      PLATFORM_PROXY: platform.proxyUrl,
      NODE_EXTRA_CA_CERTS: platform.caFile,
      PLATFORM_REFRESH_TOKEN: platform.refreshToken(account),
      PLATFORM_AUTH_SECRET: secret,
      PLATFORM_COMPAT: 'existing',
    });
    world.#sidecarUrl = await listening(sidecar);
    const double = await world.startDouble();
    const controlApi = world.#run('packages/control-api/dist/main.js', {
      API_HOST: '127.0.0.1',
      API_PORT: '0',
      API_KEY: key,
      STATE_DIR: join(world.#directory.path, 'state'),
      SETTINGS_PATH: world.settingsPath,
      PLATFORM_AUTH_URL: world.#sidecarUrl,
      PLATFORM_AUTH_SECRET: secret,
      GAME_BRIDGE: 'existing',
      EXISTING_URL: double,
      EXISTING_API_KEY: theirKey,
    });
    world.#origin = await listening(controlApi);
    return world;
  }

  /** Anew on the port that it had, where it ran before. */
  async startDouble(): Promise<string> {
    this.double = this.#run('packages/existing-server-double/dist/main.js', {
      API_PORT: this.#port,
      API_KEY: theirKey,
      STEAM_AUTH_URL: this.#sidecarUrl,
      DOUBLE_CONTROL: this.#control,
    });
    const origin = await listening(this.double);
    this.#port = new URL(origin).port;
    return origin;
  }

  get server() {
    return { origin: this.#origin, key };
  }

  get settingsPath(): string {
    return join(this.#directory.path, 'server-settings.json');
  }

  get listed() {
    return this.platform.lobbies.listed(gameApp);
  }

  kick(eresult: number): void {
    this.platform.kick(account, eresult);
  }

  order(line: string): Promise<unknown> {
    return giveOrder(this.#control, line);
  }

  async ask(method: string, path: string) {
    const answer = await fetch(`${this.#origin}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}` },
    });
    const text = await answer.text();
    const body = parseExact(text.startsWith('{') ? text : '{}') as Record<string, unknown>;
    return { code: answer.status, headers: answer.headers, text, body };
  }

  /** Asks until the answer is as wanted. */
  async until(path: string, wanted: (body: Record<string, unknown>) => boolean) {
    const deadline = AbortSignal.timeout(patienceMs);
    for (;;) {
      const { body } = await this.ask('GET', path);
      if (wanted(body)) return body;
      if (deadline.aborted)
        throw new Error(
          `${path} never came to be as wanted: ${stringifyExact(body)}\n${this.double?.stderr.join('\n')}`,
        );
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  }

  /** Asks the double until it has what is wanted. */
  async untilThere(order: string, wanted: (answer: string) => boolean): Promise<void> {
    const deadline = AbortSignal.timeout(patienceMs);
    for (;;) {
      const answer = JSON.stringify(await this.order(order));
      if (wanted(answer)) return;
      if (deadline.aborted) throw new Error(`${order} never came to be as wanted: ${answer}`);
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  }

  /** A chat client of ours, as a bot is one. */
  chat() {
    const frames: Record<string, unknown>[] = [];
    const socket = new WebSocket(`${this.#origin.replace('http', 'ws')}/ws`);
    socket.on('message', (data) => frames.push(JSON.parse(String(data))));
    socket.once('open', () => socket.send(JSON.stringify({ type: 'auth', payload: { token: key } })));
    const until = async (wanted: (frame: Record<string, unknown>) => boolean) => {
      const deadline = AbortSignal.timeout(patienceMs);
      for (;;) {
        const found = frames.find(wanted);
        if (found !== undefined) return found;
        if (deadline.aborted) throw new Error(`no such frame came: ${JSON.stringify(frames)}`);
        await new Promise((resolve) => setTimeout(resolve, pollMs));
      }
    };
    const say = (payload: object) => socket.send(JSON.stringify({ type: 'chat_send', payload }));
    return { until, say, frames, [Symbol.dispose]: () => socket.terminate() };
  }

  get #control(): string {
    return join(this.#directory.path, 'double.sock');
  }

  #run(entry: string, environment: NodeJS.ProcessEnv): Program {
    const program = new Program(entry, [], environment);
    this.#programs.push(program);
    return program;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const program of this.#programs.reverse()) await program[Symbol.asyncDispose]();
    await this.platform.close();
    this.#directory[Symbol.dispose]();
  }
}

async function listening(program: Program): Promise<string> {
  const [, origin = ''] = await program.line(/listening on (http:\S+?)(?:["\s]|$)/);
  return origin;
}
