import { connect } from 'node:net';
import { freePort } from '@steward/testing/free-port';
import { overSocket, ScriptedGame } from '@steward/testing/game/scripted-game';
import { Program } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';

/** Topics of which the game alone tells. */
export const numberedTopics = ['chat', 'players', 'farm'] as const;

export type NumberedTopic = (typeof numberedTopics)[number];

/** The control API as a process that comes back on its port, with a game in which things happen that are numbered. */
export class RestartingApi implements AsyncDisposable {
  /** The topic of each thing that has happened; its place is its number, from one on. */
  readonly told: NumberedTopic[] = [];
  readonly port: number;
  readonly key: string;
  readonly #directory = temporaryDirectory();
  readonly #game = new ScriptedGame();
  readonly #environment: NodeJS.ProcessEnv;
  #process: Program | undefined;

  private constructor(port: number, { API_KEY = '', ...environment }: NodeJS.ProcessEnv) {
    this.port = port;
    this.key = API_KEY;
    const { path } = this.#directory;
    this.#environment = {
      API_HOST: '127.0.0.1',
      API_PORT: String(port),
      API_KEY,
      STATE_DIR: path,
      SETTINGS_PATH: `${path}/server-settings.json`,
      PLATFORM_AUTH_URL: '',
      ...environment,
    };
  }

  static async open(environment: NodeJS.ProcessEnv = {}): Promise<RestartingApi> {
    const api = new RestartingApi(await freePort(), environment);
    await api.start();
    return api;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    this.#process = new Program('packages/control-api/src/main.ts', [], this.#environment);
    await this.#process.line(/listening on http/);
    await this.#game.connect(overSocket(connect(`${this.#directory.path}/game.sock`)));
  }

  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    this.#process?.kill(signal);
    await this.#process?.exited;
  }

  /** One thing of this topic, with its number in it. */
  happens(topic: NumberedTopic): void {
    this.told.push(topic);
    const number = this.told.length;
    const ann = { playerId: '5512', playerName: 'Ann' };
    if (topic === 'chat') this.#game.happens({ kind: 'chat', ...ann, message: String(number) });
    else if (topic === 'farm')
      this.#game.happens({ kind: 'dayStarted', day: 1, season: 'spring', year: number });
    else this.#game.happens({ kind: 'playerLeft', ...ann, playerName: String(number), connectionId: 'L_1' });
  }

  /** The numbers of what happened of these topics. */
  numbersOf(topics: readonly NumberedTopic[]): number[] {
    return this.told.flatMap((topic, index) => (topics.includes(topic) ? [index + 1] : []));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process?.[Symbol.asyncDispose]();
    this.#directory[Symbol.dispose]();
  }
}

interface Told {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The number of what is told; undefined for a gap, and for what is none of these. */
export function numberOf({ type, data }: Told): number | undefined {
  if (type === 'chat.said') return Number(data['message']);
  if (type === 'farm.dayStarted') return Number(data['year']);
  return type === 'players.left' ? Number(data['playerName']) : undefined;
}

/** What somebody heard of what there was to hear, and between which of it something is missing. */
export function holesIn(
  { heard, topics }: { readonly heard: readonly number[]; readonly topics: readonly NumberedTopic[] },
  api: RestartingApi,
): { before: number; next: number }[] {
  const all = api.numbersOf(topics);
  const places = heard.map((number) => all.indexOf(number));
  return places.flatMap((place, index) => {
    const before = places[index - 1] ?? -1;
    return place === before + 1 ? [] : [{ before: all[before] ?? 0, next: all[place] ?? 0 }];
  });
}
