import { setImmediate as turn } from 'node:timers/promises';
import { factNames } from '../tables/facts.ts';
import type { Sample, SampleReader, SampleTotals, SampleUnit } from '../tables/samples.ts';
import { StoreError } from '../tables/store-error.ts';
import type { Writer } from '../writing/writer.ts';
import { type ReadingParts, readUnlocked } from './read-unlocked.ts';

/** Read in one turn of the event loop: a millisecond's worth. */
const placesAtOnce = 1_500;

export interface KeptSamplesParts extends ReadingParts {
  readonly writer: Pick<Writer, 'write'>;
  /** Throws a StoreError where there is no database. */
  readonly reader: () => Pick<SampleReader, 'totals' | 'emptySince'>;
}

/** How each minute was, for as long as it is kept. */
export class KeptSamples {
  readonly #parts: KeptSamplesParts;

  constructor(parts: KeptSamplesParts) {
    this.#parts = parts;
  }

  /** It follows some milliseconds later. What cannot be kept is one minute that nobody knows; the disk's trouble is told elsewhere. */
  keep(sample: Sample): void {
    this.#parts.writer.write({ kind: 'sample', ...sample }, 'late').catch(() => {});
  }

  /** Since when nobody was online, as an earlier process knew it last; empty where somebody was, undefined where it knew nothing. */
  get emptySince(): string | undefined {
    try {
      return this.#parts.reader().emptySince;
    } catch (error) {
      if (error instanceof StoreError) return undefined;
      throw error;
    }
  }

  /** It follows some milliseconds later, as a minute does. */
  keepEmptySince(value: string): void {
    this.#parts.writer.write({ kind: 'fact', name: factNames.emptySince, value }, 'late').catch(() => {});
  }

  /** What came to pass from that minute or hour on and before the other, piece by piece, so that others have their turn. */
  async totals(unit: SampleUnit, from: number, before: number): Promise<SampleTotals[]> {
    const found: SampleTotals[] = [];
    for (let place = from; place < before; place += placesAtOnce) {
      if (place > from) await turn();
      const end = Math.min(before, place + placesAtOnce);
      found.push(...(await readUnlocked(this.#parts, () => this.#parts.reader().totals(unit, place, end))));
    }
    return found;
  }
}
