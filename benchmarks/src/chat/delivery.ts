import { quantile } from '@steward/testing/quantile';
import type { Broadcast } from './broadcast.ts';

/** Messages of a round from each server. */
const messages = 4;

export interface Delivery {
  readonly p99Ms: number;
  readonly medianMs: number;
  /** What one message cost the server. */
  readonly cpuMs: number;
}

/**
 * Rounds in which both servers say the same number of messages, one at a time and each only when the one before has been
 * heard by all. They take turns message by message (bare, relay, relay, bare …), so that what else the machine does falls on
 * both alike: the ratio of a round's pair is steady where the delays themselves are not.
 */
export async function deliveries(
  bare: Broadcast,
  relay: Broadcast,
  rounds: number,
): Promise<{ readonly ours: Delivery[]; readonly limit: Delivery[] }> {
  const measured = { ours: [] as Delivery[], limit: [] as Delivery[] };
  for (let round = 0; round < rounds; round += 1) {
    const before = await usages(bare, relay, { collected: true });
    const delaysMs = { bare: [] as number[], relay: [] as number[] };
    for (let message = 0; message < messages; message += 1) {
      const sides = (message + round) % 2 === 0 ? (['bare', 'relay'] as const) : (['relay', 'bare'] as const);
      for (const side of sides) delaysMs[side].push(...(await { bare, relay }[side].deliver()));
    }
    const after = await usages(bare, relay);
    measured.limit.push(delivery(delaysMs.bare, after.bare - before.bare));
    measured.ours.push(delivery(delaysMs.relay, after.relay - before.relay));
  }
  return measured;
}

async function usages(
  bare: Broadcast,
  relay: Broadcast,
  options?: { collected: boolean },
): Promise<{ bare: number; relay: number }> {
  return { bare: (await bare.usage(options)).cpuMs, relay: (await relay.usage(options)).cpuMs };
}

function delivery(delaysMs: readonly number[], cpuMs: number): Delivery {
  return {
    p99Ms: quantile(delaysMs, 0.99),
    medianMs: quantile(delaysMs, 0.5),
    cpuMs: cpuMs / messages,
  };
}
