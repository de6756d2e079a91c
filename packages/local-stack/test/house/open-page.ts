import { openPage } from '@steward/testing/browser';
import { eventually } from '@steward/testing/eventually';
import { flatness, type Point } from '../soak/flatness.ts';

type Page = Awaited<ReturnType<typeof openPage>>;

export interface PageFarm {
  readonly origin: string;
  readonly key: string;
}

/** A connection that says nothing is given up after 35 s, and a try for another takes up to 10, several times over. */
const backWithinMs = 120_000;

/** What one look at it says, after its rubbish was collected. */
interface PageWeight {
  readonly heap: number;
  readonly nodes: number;
}

export interface PageLimits {
  /** The first part of the looks, in which views are loaded for the first time. */
  readonly warmUp: number;
  readonly heap: number;
  readonly nodes: number;
}

/** The page, open in a real browser from the beginning to the end, and never loaded anew. */
export class OpenPage implements AsyncDisposable {
  /** What it must never have to say. */
  readonly complaints: string[] = [];
  readonly heap: Point[] = [];
  readonly nodes: Point[] = [];
  looks = 0;
  readonly #page: Page;
  readonly #session: ReturnType<ReturnType<Page['context']>['newCDPSession']>;

  private constructor(page: Page) {
    this.#page = page;
    page.setDefaultTimeout(backWithinMs);
    page.on('pageerror', (error) => this.complaints.push(`the page: ${error}`));
    this.#session = page.context().newCDPSession(page);
  }

  /** On its own farm, with the others that it shows and the keys to all of them. */
  static async open(own: PageFarm, others: readonly PageFarm[]): Promise<OpenPage> {
    await using opening = new AsyncDisposableStack();
    const opened = opening.use(new OpenPage(await openPage()));
    for (const { origin, key } of [own, ...others])
      await opened.#page.addInitScript(([name, value]) => sessionStorage.setItem(name, value), [
        `steward key ${origin}`,
        key,
      ] as const);
    await opened.#page.goto(`${own.origin}/chat`);
    await opened.#page.getByRole('banner').getByText('Live').waitFor();
    opening.move();
    return opened;
  }

  /** It is back by itself, and shows what was said last on the farm: so many lines come that this one is soon out of sight. */
  async showsGossip(from: number): Promise<void> {
    await this.#go('Chat');
    const [banner, main] = [this.#page.getByRole('banner'), this.#page.locator('main')];
    await this.#until('that it is live', async () => ((await banner.textContent()) ?? '').includes('Live'));
    await this.#until('something newer of the chat', async () =>
      [...((await main.textContent()) ?? '').matchAll(/gossip (\d+)\./g)].some(
        ([, number]) => Number(number) > from,
      ),
    );
    this.looks += 1;
  }

  /** Each farm is in reach. */
  async showsFarms(count: number): Promise<void> {
    await this.#go('Farms');
    const cards = this.#page.locator('.farm');
    await this.#until(`${count} farms in reach`, async () => {
      const texts = await cards.allInnerTexts();
      return (
        texts.length === count && texts.every((text) => / of \d/.test(text) && !text.includes('Out of reach'))
      );
    });
    this.looks += 1;
  }

  async weigh(): Promise<void> {
    const session = await this.#session;
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    const { nodes } = await session.send('Memory.getDOMCounters');
    this.#note({ heap: usedSize, nodes });
  }

  get text(): string {
    const last = (points: readonly Point[]) => points.at(-1)?.value ?? 0;
    return `page ${(last(this.heap) / 1024 / 1024).toFixed(1)} MB heap, ${last(this.nodes)} nodes`;
  }

  violations({ warmUp, ...limits }: PageLimits): readonly string[] {
    const grown = (['heap', 'nodes'] as const).flatMap((measure) => {
      const verdict = flatness(this[measure], { warmUp, growth: limits[measure] });
      if (verdict?.isFlat === true) return [];
      return [
        `the page: ${measure} ${verdict === undefined ? 'was looked at too seldom' : `grew by ${verdict.growth}`}`,
      ];
    });
    return [...this.complaints, ...grown];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#page[Symbol.asyncDispose]();
  }

  async #go(view: string): Promise<void> {
    await this.#page.getByRole('navigation').getByRole('link', { name: view, exact: true }).first().click();
  }

  async #until(what: string, holds: () => Promise<boolean>): Promise<void> {
    let shown: string | null = '';
    await eventually(
      async () => {
        if (await holds()) return true;
        shown = await this.#page.locator('body').textContent();
        return undefined;
      },
      { withinMs: backWithinMs, missing: () => `the page never showed ${what}, but: ${shown}` },
    );
  }

  #note({ heap, nodes }: PageWeight): void {
    const atMs = performance.now();
    this.heap.push({ atMs, value: heap });
    this.nodes.push({ atMs, value: nodes });
  }
}
