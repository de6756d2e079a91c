import { rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort } from '@steward/testing/free-port';
import { overSocket, ScriptedGame } from '@steward/testing/game/scripted-game';
import { Program } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import type { Page } from 'playwright-core';
import { freshDashboard } from '../../build.ts';
import { type VisitOptions, Visitors } from './visitors.ts';

export const testKey = 'k3y-of-the-farm+/=';

interface StageOptions {
  readonly key?: string;
  /** What the game can; everything where it is not said. */
  readonly capabilities?: readonly string[];
  /** Puts into the state directory what was there before the server. */
  readonly fill?: (directory: string) => void;
}

/** The page of a control API that runs as a process and comes back on its ports, with a game in memory, in the real browser. */
export class PageStage implements AsyncDisposable {
  readonly game: ScriptedGame;
  readonly origin: string;
  readonly #visitors: Visitors;
  readonly #directory = temporaryDirectory();
  readonly #environment: NodeJS.ProcessEnv;
  #program: Program | undefined;

  private constructor(
    visitors: Visitors,
    ports: readonly [number, number],
    { key, fill, ...game }: StageOptions,
  ) {
    this.game = new ScriptedGame({ tickMs: 250, ...game });
    this.#visitors = visitors;
    this.origin = `http://127.0.0.1:${ports[1]}`;
    const { path } = this.#directory;
    fill?.(path);
    this.#environment = {
      API_HOST: '127.0.0.1',
      API_PORT: String(ports[0]),
      DASHBOARD_PORT: String(ports[1]),
      STATE_DIR: path,
      SETTINGS_PATH: join(path, 'server-settings.json'),
      PLATFORM_AUTH_URL: '',
      ...(key === undefined ? {} : { API_KEY: key }),
    };
  }

  static async open(options: StageOptions = {}): Promise<PageStage> {
    await freshDashboard();
    const stage = new PageStage(await Visitors.open(), [await freePort(), await freePort()], options);
    await stage.start();
    return stage;
  }

  get complaints(): readonly string[] {
    return this.#visitors.complaints;
  }

  /** All that the server has written. */
  get log(): string {
    return [...(this.#program?.stdout ?? []), ...(this.#program?.stderr ?? [])].join('\n');
  }

  /** With what is set anew, from then on. */
  async start(more: NodeJS.ProcessEnv = {}): Promise<void> {
    Object.assign(this.#environment, more);
    this.#program = new Program('packages/control-api/src/main.ts', [], this.#environment);
    await this.#program.line(/the page is listening on http/);
    await this.game.connect(overSocket(connect(join(this.#directory.path, 'game.sock'))));
  }

  async stop(): Promise<void> {
    this.#program?.kill('SIGTERM');
    await this.#program?.exited;
  }

  /** Puts a file into the server's state, as somebody does by hand; without a text takes it away. */
  edit(name: string, text?: string): void {
    const path = join(this.#directory.path, name);
    if (text === undefined) rmSync(path, { force: true });
    else writeFileSync(path, text);
  }

  visit(options?: VisitOptions): Promise<Page> {
    return this.#visitors.visit(this.origin, options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#visitors[Symbol.asyncDispose]();
    await this.#program?.[Symbol.asyncDispose]();
    this.#directory[Symbol.dispose]();
  }
}
