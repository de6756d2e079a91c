import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pagePatienceMs, sharedBrowser } from '@steward/testing/browser';
import { lookAtWhenFailed } from '@steward/testing/failed-pages';
import type { Browser, BrowserContext, Page, Route } from 'playwright-core';
import { onTestFinished } from 'vitest';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1440, height: 900 } } as const;
export const schemes = ['light', 'dark'] as const;

export interface VisitOptions {
  readonly size?: keyof typeof sizes;
  readonly scheme?: (typeof schemes)[number];
  readonly path?: string;
  /** One more tab of the same browser. */
  readonly beside?: BrowserContext;
  /**
   * In the tab of all visits like this one, which takes half the processor's time of a new tab. It is left once the test is over, without
   * a key and with nothing routed: for tests that change no more than that, so they set no clock and route no socket.
   */
  readonly isSameTab?: boolean;
}

/** People with the real browser, who complain of what a page must never do. */
export class Visitors implements AsyncDisposable {
  /** Errors, and breaches of the policy under which the page runs. */
  readonly complaints: string[] = [];
  readonly #browser: Browser;
  readonly #contexts = new Set<BrowserContext>();
  #kept: Page | undefined;
  #isKeptInUse = false;

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  static async open(): Promise<Visitors> {
    return new Visitors(await sharedBrowser());
  }

  async visit(origin: string, { isSameTab = false, path = '/', ...how }: VisitOptions = {}): Promise<Page> {
    const page = isSameTab ? await this.#sameTab(how) : await this.#newTab(how);
    await page.goto(`${origin}${path}`);
    return page;
  }

  async #sameTab(how: VisitOptions): Promise<Page> {
    if (this.#kept?.isClosed() !== false) this.#kept = await this.#newTab(how);
    else if (this.#isKeptInUse) await leaveAsNew(this.#kept);
    const page = this.#kept;
    const { size = 'desktop', scheme = 'light' } = how;
    await page.setViewportSize(sizes[size]);
    await page.emulateMedia({ colorScheme: scheme });
    if (!this.#isKeptInUse)
      onTestFinished(async () => {
        this.#isKeptInUse = false;
        await leaveAsNew(page);
      });
    this.#isKeptInUse = true;
    return page;
  }

  async #newTab({ size, scheme, beside }: VisitOptions): Promise<Page> {
    const context =
      beside ??
      (await this.#browser.newContext({
        viewport: sizes[size ?? 'desktop'],
        colorScheme: scheme ?? 'light',
      }));
    context.setDefaultTimeout(pagePatienceMs);
    this.#contexts.add(context);
    const page = await context.newPage();
    lookAtWhenFailed(page);
    page.on('pageerror', (error) => this.complaints.push(String(error)));
    page.on('console', (line) => {
      const isOfPolicy = /content security policy|trusted/i.test(line.text());
      if (isOfPolicy) this.complaints.push(line.text());
    });
    return page;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#contexts].map((context) => context.close()));
    // What is no test ends once nothing is open any more.
    if (process.env['VITEST'] === undefined) await this.#browser.close();
  }
}

/** Whoever visits with it next finds a tab in which nothing was; until then it asks for nothing. */
async function leaveAsNew(page: Page): Promise<void> {
  if (page.isClosed()) return;
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  // From the same address with another fragment nothing would be loaded.
  await page.goto(new URL('/icon.svg', page.url()).href);
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  await page.mouse.move(0, 0);
}

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** Those of axe-core's rules that look at colours, which are all that differs between light and dark. */
const colorRules = ['color-contrast', 'link-in-text-block'];

/** What axe-core has against a page as it stands, in a line each; by all of its rules where none are given. */
export async function barriers(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) {
    // Of what is evaluated like this the browser keeps what it has compiled, for whatever the tab shows next.
    const session = await page.context().newCDPSession(page);
    await session.send('Runtime.evaluate', { expression: axe });
    await session.detach();
  }
  return page.evaluate(async (runOnly) => {
    const { axe: checker } = globalThis as unknown as {
      axe: { run(options: object): Promise<{ violations: readonly Violation[] }> };
    };
    // It would describe every element that is as it should be, too, which takes nearly as long as looking at it.
    const { violations } = await checker.run({ resultTypes: ['violations'], ...(runOnly && { runOnly }) });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html}: ${failureSummary}`),
    );
  }, rules);
}

/** The same on a phone and a desktop, light and dark; and where something stands beside the window. */
export async function barriersAnywhere(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const [name, size] of Object.entries(sizes))
    for (const colorScheme of schemes) {
      await page.setViewportSize(size);
      await page.emulateMedia({ colorScheme });
      found.push(...(await barriers(page, colorScheme === 'light' ? undefined : colorRules)));
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      if (width !== size.width) found.push(`${width} px wide on a ${name}`);
    }
  return found;
}

/** The heading of the view that is shown. */
export async function heading(page: Page): Promise<string> {
  return (await page.locator('main h1').textContent()) ?? '';
}

/** It is live, and has loaded what says that the server is away: from now on it can be. */
export async function standsLive(page: Page): Promise<void> {
  await page.getByRole('banner').getByText('Live').waitFor();
  await page.locator('.notices .room').waitFor({ state: 'detached' });
}

/** What the server answers to the page. It may just have closed the connection, as unused: then it is asked anew, as a browser does. */
export function answerTo(route: Route): ReturnType<Route['fetch']> {
  return route.fetch({ maxRetries: 1 });
}

/** From now on the server gives out the page of version 99.0.0; one that is open stays as it is. */
export async function serveNewer(page: Page, origin: string): Promise<void> {
  await page.route(`${origin}/`, async (route) => {
    const response = await answerTo(route);
    const body = (await response.text()).replace(/(version&quot;:&quot;)[^&]+/, '$199.0.0');
    await route.fulfill({ response, body });
  });
}
