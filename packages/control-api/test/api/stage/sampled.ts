import type { Sample } from '../../../src/store/tables/samples.ts';
import { openedStore } from '../../store/opened-store.ts';

const minuteMs = 60_000;

/** When the stage's clock begins. */
export const stageBegins = Date.UTC(2026, 10, 21);

/** A sample of so many minutes before the stage's clock begins. */
export function sampleOf(minutesBefore: number, values: Partial<Sample> = {}): Sample {
  return {
    minute: stageBegins / minuteMs - minutesBefore,
    players: 1,
    ticks: 5_990,
    tickGapMs: 1_010,
    bridgeLatencyMs: 21,
    serviceMemoryMb: 91,
    gameMemoryMb: 513,
    ...values,
  };
}

/** Leaves these behind for a stage in this directory. */
export async function leaveSamples(directory: string, samples: readonly Sample[]): Promise<void> {
  const { store } = openedStore(directory);
  store.start();
  for (const sample of samples) store.samples().keep(sample);
  await store.close();
}
