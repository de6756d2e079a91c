import { useSignal } from '@preact/signals';
import type { Event, GetEventsParameters } from '@steward/client';
import { useEffect } from 'preact/hooks';
import type { FarmStore } from '../farm/farm-store.ts';
import type { Shown } from '../farm/reads.ts';

/**
 * The last events that are asked for, the oldest first, and each that comes while somebody looks. `isOne` picks among the latter;
 * it has to be the same function each time.
 */
export function useEvents(
  store: FarmStore,
  asked: GetEventsParameters & { readonly limit: number },
  isOne: (event: Event) => boolean,
): Shown<readonly Event[]> {
  const { value, error } = store.allows(['read', 'chat']) ? store.read('getEvents', asked).value : {};
  const came = useSignal<readonly Event[]>([]);
  useEffect(() => {
    came.value = [];
    const unhear = store.onEvent((event) => {
      if (isOne(event)) came.value = [...came.peek(), event].slice(-asked.limit);
    });
    // From there on the answer itself has them.
    const unopen = store.onOpen(() => {
      came.value = [];
    });
    return () => {
      unhear();
      unopen();
    };
  }, [store, isOne]);
  if (value === undefined) return { error };
  const known = new Set(value.events.map(({ cursor }) => cursor));
  // What is lost is lost behind something that is known.
  const more = came.value.filter(({ type, cursor }) => type === 'gap' || !known.has(cursor));
  return { value: [...value.events, ...more].filter(isOne).slice(-asked.limit), error };
}
