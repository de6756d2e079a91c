import { useEffect } from 'preact/hooks';
import type { FarmStore } from '../farm/farm-store.ts';
import type { ReadId } from '../farm/reads.ts';

/** So long after an event is there, whatever follows on it. */
const laterMs = 1_000;

/** Has reads asked for anew of which nothing is told, but which follow on what is told: a line of the audit, a delivery. */
export function useLater(store: FarmStore, ...ids: readonly ReadId[]): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const unhear = store.onEvent(({ type }) => {
      if (type === 'state.changed' || timer !== undefined) return;
      timer = setTimeout(() => {
        timer = undefined;
        store.makeOld(...ids);
      }, laterMs);
    });
    return () => {
      unhear();
      clearTimeout(timer);
    };
  }, [store]);
}
