import { type Farm, type InviteCode, steward } from '@steward/client';
import { giveOrder } from '@steward/simulated-game/control/order-line';
import { eventually } from '@steward/testing/eventually';
import { freePort } from '@steward/testing/free-port';
import type { Program } from '@steward/testing/program';
import { StackProgram } from '@steward/testing/stack-program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import type { Page } from 'playwright-core';
import { testKey } from './page-stage.ts';
import { type VisitOptions, Visitors } from './visitors.ts';

/** A new character is there within half a second, and a day lasts twelve. */
const pace = '100';

/** Everything that `npm start` brings up, with a key and nobody who comes by themselves, seen in the real browser. */
export class StackStage implements AsyncDisposable {
  readonly origin: string;
  /** The API, as the owner asks it. */
  readonly farm: Farm;
  readonly #visitors: Visitors;
  readonly #directory: ReturnType<typeof temporaryDirectory>;
  readonly #stack: Program;
  readonly #control: string;

  private constructor(
    parts: readonly [Visitors, ReturnType<typeof temporaryDirectory>, Program],
    page: string,
    control: string,
  ) {
    [this.#visitors, this.#directory, this.#stack] = parts;
    this.origin = new URL(page).origin;
    this.#control = control;
    this.farm = steward({ url: `${this.origin}/api`, key: testKey });
  }

  static async open(more: NodeJS.ProcessEnv = {}): Promise<StackStage> {
    const directory = temporaryDirectory();
    const { path } = directory;
    const [API_PORT = '', PORT = '', DASHBOARD_PORT = ''] = await Promise.all(
      Array.from({ length: 3 }, async () => String(await freePort())),
    );
    const stack = new StackProgram(path, {
      ...{ API_PORT, PORT, DASHBOARD_PORT },
      ...{ API_KEY: testKey, FARM_PACE: pace, FARM_SEED: 'the page', FARM_VISITORS: '0' },
      ...more,
    });
    const [visitors, [, page = ''], [, control = '']] = await Promise.all([
      Visitors.open(),
      stack.line(/^ {2}(http:\S+\/)$/),
      stack.line(/FARM_CONTROL=(\S+) npm run farm -- show/),
    ]);
    const stage = new StackStage([visitors, directory, stack], page, control);
    // The farm is hosted, and both codes are there.
    await stack.line(/Players join with the code/);
    return stage;
  }

  get complaints(): readonly string[] {
    return this.#visitors.complaints;
  }

  /** With the owner's key; with another, or none, where it is said. */
  visit({
    path = '/',
    key = testKey,
    ...more
  }: VisitOptions & { readonly key?: string } = {}): Promise<Page> {
    const fragment = more.beside === undefined ? `#${new URLSearchParams({ key })}` : '';
    return this.#visitors.visit(this.origin, { ...more, path: `${path}${fragment}` });
  }

  /** Gives the farm an order as `npm run farm` does, and returns what it prints. */
  async order(order: string, ...words: readonly string[]): Promise<string> {
    const printed: string[] = [];
    await giveOrder(this.#control, order, words, (text) => printed.push(text));
    return printed.join('\n');
  }

  /** Somebody comes as soon as every way in is open, and makes a farmhand where there was none; its id. */
  async comes(name: string, ...how: readonly string[]): Promise<string> {
    await this.#everyWayIn();
    const said = await this.order('join', name, ...how);
    const [, id] = /as farmhand (-?\d+)/.exec(said) ?? [];
    if (id === undefined) throw new Error(`${name} is not let in: ${said}`);
    await eventually(
      async () =>
        (await this.farm.listFarmhands()).farmhands.find((each) => each.idStr === id && each.isCustomized),
      { missing: () => `${name} has made no farmhand: ${said}` },
    );
    return id;
  }

  /** A farm that was only just loaded is hosted before its lobbies are there; the platform's is the last, and brings the `S` code. */
  async #everyWayIn(): Promise<void> {
    let shown: InviteCode = {};
    await eventually(
      async () => {
        shown = await this.farm.getInviteCode();
        return shown.inviteCode?.startsWith('S') || undefined;
      },
      { missing: () => `There is no S code: ${JSON.stringify(shown)}` },
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#visitors[Symbol.asyncDispose]();
    this.#stack.kill('SIGTERM');
    await this.#stack.exited;
    this.#directory[Symbol.dispose]();
  }
}
