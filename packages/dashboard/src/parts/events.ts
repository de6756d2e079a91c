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
  const { value, error } = store.allows('read') ? store.read('getEvents', asked).value : {};
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
  return { value: inOrder(value.events, came.value).filter(isOne).slice(-asked.limit), error };
}

/** What was answered and what was heard: of much that was missed, the latter may reach further back. */
export function inOrder(answered: readonly Event[], heard: readonly Event[]): readonly Event[] {
  const known = new Set(answered.map(({ cursor }) => cursor));
  const all = [...answered, ...heard.filter(({ type, cursor }) => type === 'gap' || !known.has(cursor))];
  // Another database may count from below under another name: all that is told under the last one is newer.
  const name = databaseOf(all.findLast(({ type }) => type !== 'gap')?.cursor ?? '');
  const placeOf = ({ cursor }: Event) => (cursor.startsWith(name) ? Number(cursor.slice(name.length)) : -1);
  // What is lost has the place of what it is lost behind, and stays there.
  return all.sort((one, other) => placeOf(one) - placeOf(other));
}

/** The name of the database that numbers an event. */
export function databaseOf(cursor: string): string {
  return cursor.replace(/\d+$/, '');
}
