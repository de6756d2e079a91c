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

it('has nobody left when all have failed often enough, and only for that wish', async () => {
  const { board: made, clock } = board(server('one'), server('two'));
  const tries = new Tries();
  for (const state of made.candidates(need, tries))
    for (let index = 0; index < 7; index++) tries.failed(state, unreachable);
  expect(await made.take(need, tries, signal)).toBeUndefined();
  clock.advance(60_000);
  expect(await made.take(need, new Tries(), signal)).toBeDefined();
});

it('ends a wait when the run is aborted', async () => {
  const { board: made } = board(server('only'));
  await made.take(need, new Tries(), signal);
  const stop = new AbortController();
  const waiting = made.take(need, new Tries(), stop.signal);
  stop.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
});

it('never gives a server more than it takes, nor one that is closed, whatever happens', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom('take', 'good', 'bad', 'close', 'wait'), fc.nat(4)), {
        maxLength: 60,
      }),
      async (steps) => {
        const { board: made, clock } = board(server('a'), server('b'), server('c', { appIds: [2] }));
        const taken: ServerState[] = [];
        const stop = new AbortController();
        for (const [step, which] of steps) {
          const state = taken[which % Math.max(taken.length, 1)];
          if (step === 'wait') clock.advance(which * 300);
          if (step === 'take')
            void made.take(need, new Tries(), stop.signal).then(
              (given) => given !== undefined && taken.push(given),
              () => {},
            );
          if (state !== undefined && step !== 'wait' && step !== 'take') {
            taken.splice(taken.indexOf(state), 1);
            if (step === 'good') state.succeeded(1_000, which);
            if (step === 'bad') state.failed('unreachable', clock.now(), undefined);
            if (step === 'close') state.closeDepot(need.depotId);
            made.release(state);
          }
          await new Promise((resolve) => setImmediate(resolve));
          for (const {
            server: { address },
            active,
          } of taken) {
            expect(address).not.toBe('c');
            expect(active).toBeLessThanOrEqual(8);
          }
        }
        stop.abort();
      },
    ),
    { numRuns: 60 },
  ));
