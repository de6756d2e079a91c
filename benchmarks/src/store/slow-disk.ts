import { setTimeout as pause } from 'node:timers/promises';
import { diskLibrary } from '@steward/testing/disk-library';
import { median, quantile } from '@steward/testing/quantile';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { type ByteListener, openListeners } from '../chat/byte-listener.ts';
import { type Comparison, interleave } from '../comparison.ts';
import { type GrownService, withService } from '../growth/grown-service.ts';
import { said } from '../growth/listeners.ts';

const syncMs = 200;
const clients = 200;
/** Half of them with the slow disk first. */
const rounds = 16;
const roundMs = 2_000;

/** Far from what it can do. Commands come as often as one address may change something all the time. */
const every = { chatMs: 25, statusMs: 10, commandMs: 500 };

/** What a disk like that may make of the p99. */
const mostRatio = 1.5;

interface Side {
  readonly service: GrownService;
  readonly listeners: readonly ByteListener[];
}

interface Round {
  readonly chatMs: number;
  readonly statusMs: number;
  readonly commandMs: number;
}

/** Two control APIs at the same modest work: for one of them each sync of the disk takes long, and commands wait for it. */
export async function slowDisk(): Promise<readonly Comparison[]> {
  using directory = temporaryDirectory();
  const slowness = { ...diskLibrary(directory.path), SLOW_SYNC_MS: String(syncMs) };
  return await withListeners({}, (fast) =>
    withListeners(slowness, async (slow) => {
      // The first few warm both up.
      await work(fast);
      await work(slow);
      const sides = { limit: () => work(fast), ours: () => work(slow) };
      const straight = await interleave(rounds / 2, sides);
      const turned = await interleave(rounds / 2, { ours: sides.ours, limit: sides.limit });
      const ours = [...straight.ours, ...turned.ours];
      const limit = [...straight.limit, ...turned.limit];
      if (median(ours.map(({ commandMs }) => commandMs)) < syncMs)
        throw new Error('no command waited for a sync: the disk was not slow');
      const compare = (figure: string, value: (round: Round) => number) => ({
        figure: `each sync of the disk takes ${syncMs} ms: ${figure}`,
        unit: 'ms',
        ours: ours.map(value),
        limit: limit.map(value),
        beside: 'fast disk',
      });
      return [
        { ...compare(`a message to ${clients} clients, p99`, ({ chatMs }) => chatMs), atMost: mostRatio },
        { ...compare('GET /status, p99', ({ statusMs }) => statusMs), atMost: mostRatio },
        compare('POST /time, median', ({ commandMs }) => commandMs),
      ];
    }),
  );
}

function withListeners<T>(environment: NodeJS.ProcessEnv, measure: (side: Side) => Promise<T>): Promise<T> {
  return withService(
    async (service) => {
      const listeners = await openListeners(Number(new URL(service.server.origin).port), clients);
      try {
        return await measure({ service, listeners });
      } finally {
        for (const { socket } of listeners) socket.destroy();
      }
    },
    { environment },
  );
}

async function work({ service, listeners }: Side): Promise<Round> {
  const end = performance.now() + roundMs;
  const [delays, answers, commands] = await Promise.all([
    paced(end, every.chatMs, () => said(service, listeners)),
    paced(end, every.statusMs, () => timed(() => service.read('/status'))),
    paced(end, every.commandMs, () => timed(() => setTime(service))),
  ]);
  return {
    chatMs: quantile(delays.flat(), 0.99),
    statusMs: quantile(answers, 0.99),
    commandMs: median(commands),
  };
}

/** Does it over and over, each time so long after the last, or when that has ended. */
async function paced<T>(end: number, everyMs: number, act: () => Promise<T>): Promise<T[]> {
  const done: T[] = [];
  while (performance.now() < end) {
    const [made] = await Promise.all([act(), pause(everyMs)]);
    done.push(made);
  }
  return done;
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await act();
  return performance.now() - began;
}

async function setTime({ server, game }: GrownService): Promise<void> {
  const answer = await game.orLost(fetch(`${server.origin}/time?value=1200`, { method: 'POST' }));
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`the time could not be set: ${text}`);
}
