import type { Clock } from '@steward/service-kit/clock';
import { SettledTime } from '@steward/service-kit/settled-time';
import { isMeant, type Which } from '../store/named.ts';
import type { KeptKey } from '../store/tables/keys.ts';
import { passed } from './key-changes.ts';
import type { KeyIndex } from './key-index.ts';

/** Keys that have expired by a clock that may yet be set back: they open nothing, and have ended for good once it is believed. */
export class EarlyEnds {
  readonly #settled: SettledTime;
  readonly #index: KeyIndex;
  /** As they were before, and as they are on the disk. */
  readonly #before = new Map<string, KeptKey>();

  constructor(clock: Pick<Clock, 'now' | 'date'>, index: KeyIndex) {
    this.#settled = new SettledTime(clock);
    this.#index = index;
  }

  get any(): boolean {
    return this.#before.size > 0;
  }

  has(id: string): boolean {
    return this.#before.has(id);
  }

  /** The one that is meant, as it was before. */
  meant(which: Which): KeptKey | undefined {
    return this.#before.values().find((key) => isMeant(key, which));
  }

  /** To be said before the index has it as one that has expired. */
  add(id: string): void {
    const key = this.#index.get(id);
    if (key !== undefined) this.#before.set(id, key);
  }

  forget(id: string): void {
    this.#before.delete(id);
  }

  /** Those that have not expired after all, as they are again; but for one whose name another has by now. */
  takeBack(now: number): readonly KeptKey[] {
    const back = [...this.#before.values()].filter(
      (key) => passed(key, now)?.ended !== 'expired' && this.#index.named(key.name) === undefined,
    );
    for (const key of back) {
      this.forget(key.id);
      this.#index.put(key);
    }
    return back;
  }

  /** Those that have ended for good by now; each once. */
  takeBelieved(): readonly KeptKey[] {
    if (!this.#settled.isSettled()) return [];
    const ended = [...this.#before.keys()].flatMap((id) => this.#index.get(id) ?? []);
    this.#before.clear();
    return ended;
  }
}
