import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { join } from 'node:path';
import { openBrowser } from '@steward/testing/browser';
import { freePort } from '@steward/testing/free-port';
import { overSocket, ScriptedGame } from '@steward/testing/game/scripted-game';
import { Program } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { freshDashboard } from '../../build.ts';

export const testKey = 'k3y-of-the-farm+/=';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1440, height: 900 } } as const;
export const schemes = ['light', 'dark'] as const;

interface OpenOptions {
  readonly size?: keyof typeof sizes;
  readonly scheme?: (typeof schemes)[number];
  readonly path?: string;
  /** One more tab of the same browser. */
  readonly beside?: BrowserContext;
}

/** The page of a control API that runs as a process and comes back on its ports, with a game in memory, in the real browser. */
export class PageStage implements AsyncDisposable {
  readonly game = new ScriptedGame({ tickMs: 250 });
  readonly origin: string;
  /** What a page must never do: errors, and breaches of the policy under which it runs. */
  readonly complaints: string[] = [];
  readonly #browser: Browser;
  readonly #directory = temporaryDirectory();
  readonly #environment: NodeJS.ProcessEnv;
  #program: Program | undefined;

  private constructor(browser: Browser, ports: readonly [number, number], key: string | undefined) {
    this.#browser = browser;
    this.origin = `http://127.0.0.1:${ports[1]}`;
    const { path } = this.#directory;
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

  static async open({ key }: { readonly key?: string } = {}): Promise<PageStage> {
    await freshDashboard();
    const stage = new PageStage(await openBrowser(), [await freePort(), await freePort()], key);
    await stage.start();
    return stage;
  }

  /** All that the server has written. */
  get log(): string {
    return [...(this.#program?.stdout ?? []), ...(this.#program?.stderr ?? [])].join('\n');
  }

  async start(): Promise<void> {
    this.#program = new Program('packages/control-api/src/main.ts', [], this.#environment);
    await this.#program.line(/the page is listening on http/);
    await this.game.connect(overSocket(connect(join(this.#directory.path, 'game.sock'))));
  }

  async stop(): Promise<void> {
    this.#program?.kill('SIGTERM');
    await this.#program?.exited;
  }

  async visit({ size = 'desktop', scheme = 'light', path = '/', beside }: OpenOptions = {}): Promise<Page> {
    const context =
      beside ?? (await this.#browser.newContext({ viewport: sizes[size], colorScheme: scheme }));
    const page = await context.newPage();
    page.on('pageerror', (error) => this.complaints.push(String(error)));
    page.on('console', (line) => {
      const isOfPolicy = /content security policy|trusted/i.test(line.text());
      if (isOfPolicy) this.complaints.push(line.text());
    });
    await page.goto(`${this.origin}${path}`);
    return page;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
    await this.#program?.[Symbol.asyncDispose]();
    this.#directory[Symbol.dispose]();
  }
}

/** What axe-core has against a page as it stands, in a line each. */
export async function barriers(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { axe: checker } = globalThis as unknown as {
      axe: {
        run(): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>;
      };
    };
    const { violations } = await checker.run();
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html}: ${failureSummary}`),
    );
  });
}

/** The heading of the view that is shown. */
export async function heading(page: Page): Promise<string> {
  return (await page.locator('main h1').textContent()) ?? '';
}
