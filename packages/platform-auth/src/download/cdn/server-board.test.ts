import { setImmediate } from 'node:timers/promises';
import { pause } from '@steward/service-kit/clock';
import { ManualClock } from '@steward/testing/manual-clock';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ContentServer } from '../../platform/platform-session.ts';
import { RequestFailure } from './content-request.ts';
import { ServerBoard, Tries } from './server-board.ts';
import type { ServerState } from './server-state.ts';

const need = { appId: 1, depotId: 11 };
const { signal } = new AbortController();
const unreachable = new RequestFailure('unreachable', 'cannot be reached');

function server(address: string, more: Partial<ContentServer> = {}): ContentServer {
  return { address, name: address, isSecure: false, demandsToken: false, load: 1, ...more };
}

/** Time passes while somebody looks at it. */
class RestlessClock extends ManualClock {
  readonly #lookMs: number;

  constructor(lookMs: number) {
    super();
    this.#lookMs = lookMs;
  }

  override now(): number {
    this.advance(this.#lookMs);
    return super.now();
  }
}

function board(...servers: ContentServer[]): { board: ServerBoard; clock: ManualClock } {
  const clock = new ManualClock(new Date());
  const made = new ServerBoard(clock);
  made.add(servers);
  return { board: made, clock };
}

async function use(made: ServerBoard, ms: number, tries = new Tries()): Promise<ServerState> {
  const state = await made.take(need, tries, signal);
  if (state === undefined) throw new Error('no server is left');
  state.succeeded(1_000_000, ms);
  made.release(state);
  return state;
}

it('tries every server once, in the platform’s order, before it prefers one', async () => {
  const { board: made } = board(server('far', { load: 9 }), server('near'), server('middle', { load: 5 }));
  const order = [await use(made, 100), await use(made, 10), await use(made, 100)];
  expect(order.map(({ server: { address } }) => address)).toEqual(['near', 'middle', 'far']);
  expect((await use(made, 10)).server.address).toBe('middle');
});

it('lets one request through to a server that nobody has tried, and eight to one that works', async () => {
  const { board: made } = board(server('only'));
  const first = await made.take(need, new Tries(), signal);
  let second: ServerState | undefined;
  const waiting = made.take(need, new Tries(), signal).then((state) => {
    second = state;
  });
  await Promise.resolve();
  expect(second).toBeUndefined();
  first?.succeeded(1_000, 1);
  for (let index = 0; index < 7; index++) await made.take(need, new Tries(), signal);
  expect(first?.hasRoom(0)).toBe(false);
  if (first !== undefined) made.release(first);
  await waiting;
  expect(second).toBe(first);
});

it('waits rather than ask a server that is slower by far', async () => {
  const { board: made } = board(server('fast'), server('slow', { load: 2 }));
  await use(made, 1);
  await use(made, 1_000);
  const taken = [];
  for (let index = 0; index < 8; index++) taken.push(await made.take(need, new Tries(), signal));
  expect(new Set(taken.map((state) => state?.server.address))).toEqual(new Set(['fast']));
  let ninth: ServerState | undefined;
  const waiting = made.take(need, new Tries(), signal).then((state) => {
    ninth = state;
  });
  await Promise.resolve();
  expect(ninth).toBeUndefined();
  if (taken[0] !== undefined) made.release(taken[0]);
  await waiting;
  expect(ninth?.server.address).toBe('fast');
});

it('leaves a server alone for twice as long after every failure, and as long as it asks for', async () => {
  const { board: made, clock } = board(server('only'));
  const state = await use(made, 1);
  for (const pause of [500, 1_000, 2_000]) {
    state.failed('unreachable', clock.now(), undefined);
    expect(state.hasRoom(clock.now() + pause - 1)).toBe(false);
    expect(state.hasRoom(clock.now() + pause)).toBe(true);
    clock.advance(pause);
  }
  state.failed('busy', clock.now(), 90_000);
  expect(state.hasRoom(clock.now() + 89_999)).toBe(false);
});

it.each([0, 100])(
  'leaves a server alone for twice as long after every failure, also where it asks for %i ms',
  async (askedMs) => {
    const { board: made, clock } = board(server('only'));
    const state = await use(made, 1);
    for (const pause of [500, 1_000, 2_000]) {
      state.failed('busy', clock.now(), askedMs);
      expect(state.hasRoom(clock.now() + pause - 1)).toBe(false);
      expect(state.hasRoom(clock.now() + pause)).toBe(true);
      clock.advance(pause);
    }
  },
);

it('leaves a server alone for as long as it asks for, also where it asks while it rests', async () => {
  const { board: made, clock } = board(server('only'));
  const state = await use(made, 1);
  state.failed('unreachable', clock.now(), undefined);
  state.failed('busy', clock.now(), 90_000);
  expect(state.hasRoom(clock.now() + 89_999)).toBe(false);
  expect(state.hasRoom(clock.now() + 90_000)).toBe(true);
});

it('misses no pause that ends while it looks', async () => {
  for (const leftMs of [0.5, 1, 1.5, 2, 2.5, 3, 3.5]) {
    const clock = new RestlessClock(1);
    const made = new ServerBoard(clock);
    made.add([server('only')]);
    const state = await use(made, 1);
    state.failed('unreachable', clock.now(), 500);
    clock.advance(500 - leftMs);
    let taken: ServerState | undefined;
    void made.take(need, new Tries(), signal).then((given) => {
      taken = given;
    });
    clock.advance(500);
    await setImmediate();
    expect(taken, `${leftMs} ms before the end of the pause`).toBe(state);
  }
});

it('has nobody left when all have failed often enough, and only for that wish', async () => {
  const { board: made, clock } = board(server('one'), server('two'));
  const tries = new Tries();
  for (const state of made.candidates(need, tries))
    for (let index = 0; index < 13; index++) tries.failed(state, unreachable);
  expect(await made.take(need, tries, signal)).toBeUndefined();
  clock.advance(60_000);
  expect(await made.take(need, new Tries(), signal)).toBeDefined();
});

/** So many wishes at once, and every request fails after so long: when the first of them is given up. */
async function outage(
  { board: made, clock }: ReturnType<typeof board>,
  { wishes = 16, requestMs = 10_000, failure = unreachable } = {},
): Promise<number> {
  const began = clock.now();
  let endedAt: number | undefined;
  const wish = async () => {
    const tries = new Tries();
    for (;;) {
      const state = await made.take(need, tries, signal);
      if (state === undefined) break;
      await pause(requestMs, clock, signal);
      made.release(state);
      made.failed(state, failure);
      tries.failed(state, failure);
    }
    endedAt ??= clock.now();
  };
  for (let index = 0; index < wishes; index++) void wish();
  while (endedAt === undefined) {
    await setImmediate();
    clock.advance(100);
  }
  return endedAt - began;
}

const twenty = Array.from({ length: 20 }, (_, index) => server(`server ${index}`));

it.each([
  ['one server that refuses connections', [server('only')], 1],
  ['one server that is silent', [server('only')], 10_000],
  ['twenty that refuse connections', twenty, 1],
  ['twenty that are silent', twenty, 10_000],
] as const)(
  'gives up about two minutes after nothing comes any more from %s, for one wish or many',
  async (_, servers, requestMs) => {
    const world = board(...servers);
    for (const __ of servers) await use(world.board, 100);
    world.clock.advance(300_000);
    const ms = await outage(world, { requestMs });
    expect(ms).toBeGreaterThan(115_000);
    expect(ms).toBeLessThan(165_000);
    const alone = await outage(board(...servers), { requestMs, wishes: 1 });
    expect(alone).toBeGreaterThan(115_000);
    // Each is asked at least once.
    expect(alone).toBeLessThan(Math.max(165_000, servers.length * requestMs + 5_000));
  },
);

it('tries every server before it gives up, and only once where that takes longer', async () => {
  const world = board(...twenty);
  expect(await outage(world, { wishes: 1 })).toBeLessThan(20 * 10_000 + 5_000);
  expect(world.board.candidates(need, new Tries())).toEqual([]);
});

it('asks a server once more that has asked for as long', async () => {
  const failure = new RequestFailure('busy', 'answered 503', { retryAfterMs: 120_000 });
  const ms = await outage(board(server('only')), { requestMs: 100, failure });
  expect(ms).toBeGreaterThan(120_000);
  expect(ms).toBeLessThan(121_000);
});

it('gives nothing up while content comes, from whomever, and hopes again for a server that is new', async () => {
  const { board: made, clock } = board(server('one'), server('two'));
  const [one, two] = made.candidates(need, new Tries());
  if (one === undefined || two === undefined) throw new Error('there are two');
  const fail = () => {
    for (const state of [one, two]) made.failed(state, unreachable);
  };
  fail();
  clock.advance(119_000);
  made.came();
  for (let index = 0; index < 2; index++) {
    fail();
    expect(made.candidates(need, new Tries())).toHaveLength(2);
    clock.advance(119_000);
  }
  fail();
  expect(made.candidates(need, new Tries())).toEqual([]);
  made.add([server('new')]);
  expect((await made.take(need, new Tries(), signal))?.server.address).toBe('new');
});

it('asks one that refused again, after a while, where the others are away', async () => {
  const { board: made, clock } = board(server('gone'), server('refused'));
  const [gone, refused] = made.candidates(need, new Tries());
  refused?.closeDepot(need.depotId);
  const began = clock.now();
  const tries = new Tries();
  const asking = (async () => {
    for (;;) {
      const state = await made.take(need, tries, signal);
      if (state !== gone || state === undefined) return state;
      made.release(state);
      made.failed(state, unreachable);
      tries.failed(state, unreachable);
    }
  })();
  let taken: ServerState | undefined;
  void asking.then((state) => {
    taken = state;
  });
  while (taken === undefined && clock.now() - began < 10_000) {
    clock.advance(100);
    await setImmediate();
  }
  expect(taken).toBe(refused);
});

it('does not give up beside a server whose token is on its way', () => {
  const { board: made, clock } = board(server('gone'), server('token'));
  const [gone, token] = made.candidates(need, new Tries());
  token?.awaitToken(need.depotId);
  for (const ms of [0, 121_000]) {
    clock.advance(ms);
    if (gone !== undefined) made.failed(gone, unreachable);
  }
  expect(made.candidates(need, new Tries())).toHaveLength(2);
  token?.closeDepot(need.depotId);
  expect(made.candidates(need, new Tries())).toEqual([]);
});

it('ends a wait when the run is aborted', async () => {
  const { board: made } = board(server('only'));
  await made.take(need, new Tries(), signal);
  const stop = new AbortController();
  const waiting = made.take(need, new Tries(), stop.signal);
  stop.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
});

it('never gives a server more than it takes, nor one that is closed, and leaves nobody waiting, whatever happens', () =>
  fc.assert(
    fc.asyncProperty(
      fc.constantFrom([server('a')], [server('a'), server('b'), server('c', { appIds: [2] })]),
      fc.array(fc.tuple(fc.constantFrom('take', 'good', 'bad', 'close', 'wait', 'patience'), fc.nat(4)), {
        maxLength: 60,
      }),
      async (servers, steps) => {
        const clock = new RestlessClock(300);
        const made = new ServerBoard(clock);
        made.add(servers);
        const taken: ServerState[] = [];
        let waiting = 0;
        const take = async () => {
          waiting += 1;
          const given = await made.take(need, new Tries(), signal);
          waiting -= 1;
          if (given !== undefined) taken.push(given);
        };
        const end = (step: string, which: number) => {
          const [state] = taken.splice(which % Math.max(taken.length, 1), 1);
          if (state === undefined) return;
          if (step === 'good') {
            made.came();
            state.succeeded(1_000, which);
          }
          if (step === 'bad') made.failed(state, unreachable);
          if (step === 'close') state.closeDepot(need.depotId);
          made.release(state);
        };
        for (const [step, which] of [...steps, ['patience', 0] as const]) {
          if (step === 'wait') clock.advance(which * 100);
          else if (step === 'patience') clock.advance(60_000);
          else if (step === 'take') void take();
          else end(step, which);
          await setImmediate();
          for (const {
            server: { address },
            active,
          } of taken) {
            expect(address).not.toBe('c');
            expect(active).toBeLessThanOrEqual(8);
          }
          // No pause is longer: where nobody is at work, time alone has to bring whoever waits on.
          if (step === 'patience' && taken.length === 0) expect(waiting).toBe(0);
        }
      },
    ),
    { numRuns: 300 },
  ));
