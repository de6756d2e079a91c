import { setImmediate as turn } from 'node:timers/promises';

/** What the load asks of a server in a process of its own. */
export type Order =
  | { readonly order: 'say'; readonly times: number }
  | { readonly order: 'usage'; readonly collected: boolean };

/** When each message was said, by the machine's monotonic clock in milliseconds. */
export interface Said {
  readonly at: readonly number[];
}

/** What the process has used up to now. */
export interface Usage {
  readonly rssBytes: number;
  readonly cpuMs: number;
}

/** Between this process's own clock and the machine's. */
const offsetMs = Number(process.hrtime.bigint()) / 1e6 - performance.now();

/** By the machine's clock, which all processes share; cheap, for it is asked at every arrival. */
export function monotonicMs(): number {
  return performance.now() + offsetMs;
}

/** Carries out the load's orders until it lets go. */
export function obey(port: number, say: () => void): void {
  process.on('message', async (message) => {
    process.send?.(await answer(message as Order, say));
  });
  process.once('disconnect', () => process.exit());
  process.send?.({ port });
}

async function answer(order: Order, say: () => void): Promise<Said | Usage> {
  if (order.order === 'usage') {
    // What the garbage of an earlier measurement costs is not part of the next one.
    if (order.collected) globalThis.gc?.();
    const { user, system } = process.cpuUsage();
    return { rssBytes: process.memoryUsage.rss(), cpuMs: (user + system) / 1_000 };
  }
  const at: number[] = [];
  for (let time = 0; time < order.times; time += 1) {
    at.push(monotonicMs());
    say();
    // Each message comes in a turn of its own, as a game's messages do.
    if (time + 1 < order.times) await turn();
  }
  return { at };
}
