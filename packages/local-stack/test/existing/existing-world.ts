import { join } from 'node:path';
import { giveOrder } from '@steward/existing-server-double/control/give-order';
import { startPlatform } from '@steward/platform-emulator/platform';
import type { Platform } from '@steward/platform-emulator/running-platform';
import { parseExact, stringifyExact } from '@steward/service-kit/json';
import { Changes } from '@steward/testing/changes';
import { eventually } from '@steward/testing/eventually';
import { freePort } from '@steward/testing/free-port';
import { Program } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { WebSocket } from 'ws';
import { account, accounts, fastSidecar, gameApp } from '../stage/fast-sidecar.ts';
import { isOfRequest } from '../stage/log-lines.ts';

const key = 'ours';
const theirKey = 'theirs';
const secret = 'what-the-mod-cannot-send';
/** Pauses before another login shrink with it, and so does a ticket’s life, which must outlast the platform’s minute between two. */
const sidecarSpeed = '8';
const patienceMs = 30_000;

type Body = Record<string, unknown>;

/** The existing server's double, our sidecar under it and our control API in front of it, each a process of its own. */
export class ExistingWorld implements AsyncDisposable {
  readonly platform: Platform;
  readonly #port: string;
  readonly #directory = temporaryDirectory();
  readonly #programs: Program[] = [];
  readonly #changes = new Changes();
  #sidecarUrl = '';
  #origin = '';
  #doubleOrigin = '';
  double: Program | undefined;

  private constructor(platform: Platform, port: number) {
    this.platform = platform;
    this.#port = String(port);
  }

  static async start(): Promise<ExistingWorld> {
    const platform = await startPlatform({ accounts });
    const world = new ExistingWorld(platform, await freePort());
    const sidecar = world.#kept(
      fastSidecar(
        { platform, directory: world.#directory.path, speed: sidecarSpeed, secret, port: '0' },
        { PLATFORM_COMPAT: 'existing' },
      ),
    );
    world.#sidecarUrl = await listening(sidecar);
    const double = await world.startDouble();
    const controlApi = world.#run('packages/control-api/src/main.ts', {
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
    controlApi.onLine((line) => {
      if (!isOfRequest(line)) world.#changes.told();
    });
    world.#origin = await listening(controlApi);
    return world;
  }

  /** On the same port each time. */
  async startDouble(): Promise<string> {
    this.double = this.#run('packages/existing-server-double/src/main.ts', {
      API_PORT: this.#port,
      API_KEY: theirKey,
      STEAM_AUTH_URL: this.#sidecarUrl,
      DOUBLE_CONTROL: this.#control,
    });
    const origin = await listening(this.double);
    this.#doubleOrigin = origin;
    return origin;
  }

  /** What that server says itself. */
  async theirs(path: string): Promise<unknown> {
    const headers = { authorization: `Bearer ${theirKey}` };
    return parseExact(await (await fetch(`${this.#doubleOrigin}${path}`, { headers })).text());
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
    const body = parseExact(text.startsWith('{') ? text : '{}') as Body;
    return { code: answer.status, headers: answer.headers, text, body };
  }

  /** Asks again whenever our control API's log tells of something, until the answer is as wanted. */
  until(path: string, wanted: (body: Body) => boolean): Promise<Body> {
    return this.#changes.until(...this.#question(path, wanted));
  }

  /** The same where no line tells of it: who is on a farm that we only look at. */
  untilSeen(path: string, wanted: (body: Body) => boolean): Promise<Body> {
    return eventually(...this.#question(path, wanted));
  }

  #question(path: string, wanted: (body: Body) => boolean) {
    let last: Body = {};
    const look = async () => {
      last = (await this.ask('GET', path)).body;
      return wanted(last) ? last : undefined;
    };
    const missing = () =>
      `${path} never came to be as wanted: ${stringifyExact(last)}\n${this.double?.stderr.join('\n')}`;
    return [look, { withinMs: patienceMs, missing }] as const;
  }

  /** A chat client of ours, as a bot is one. */
  chat() {
    const frames: Body[] = [];
    const changes = new Changes();
    const socket = new WebSocket(`${this.#origin.replace('http', 'ws')}/ws`);
    socket.on('message', (data) => {
      frames.push(JSON.parse(String(data)));
      changes.told();
    });
    socket.once('open', () => socket.send(JSON.stringify({ type: 'auth', payload: { token: key } })));
    const until = (wanted: (frame: Body) => boolean) =>
      changes.until(() => frames.find(wanted), {
        withinMs: patienceMs,
        missing: () => `no such frame came: ${JSON.stringify(frames)}`,
      });
    const say = (payload: object) => socket.send(JSON.stringify({ type: 'chat_send', payload }));
    return { until, say, [Symbol.dispose]: () => socket.terminate() };
  }

  get #control(): string {
    return join(this.#directory.path, 'double.sock');
  }

  #run(entry: string, environment: NodeJS.ProcessEnv): Program {
    return this.#kept(new Program(entry, [], environment));
  }

  #kept(program: Program): Program {
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
