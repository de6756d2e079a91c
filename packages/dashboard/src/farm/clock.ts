import { signal } from '@preact/signals';

/** Which farm the views show. */
export const chosenOrigin = signal('');
/** How far the clock of this machine goes before that of each farm's server, by their origins. */
const aheadMs = signal<ReadonlyMap<string, number>>(new Map());
/** Less nobody notices. */
const noticedMs = 2_000;

/** What the time is where all times come from. */
export function serverNow(here: number = Date.now()): number {
  return here - (aheadMs.value.get(chosenOrigin.value) ?? 0);
}

/** What a server’s clock said to who asked at a time. */
export function setClock(origin: string, said: string, askedAt: number): void {
  const known = aheadMs.peek().get(origin) ?? 0;
  // It may have said so at any moment of the time that its answer took.
  const halfMs = (Date.now() - askedAt) / 2;
  const ahead = askedAt + halfMs - Date.parse(said);
  if (Math.abs(ahead - known) > noticedMs + halfMs)
    aheadMs.value = new Map(aheadMs.peek()).set(origin, ahead);
}
