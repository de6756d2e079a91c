import { signal } from '@preact/signals';

/** Which farm the views show. */
export const chosenOrigin = signal('');
/** How far the clock of this machine goes before that of each farm's server, by their origins. */
const aheadMs = signal<ReadonlyMap<string, number>>(new Map());
/** Less nobody notices, and a slow answer may be the reason. */
const noticedMs = 2_000;

/** What the time is where all times come from. */
export function serverNow(here: number = Date.now()): number {
  return here - (aheadMs.value.get(chosenOrigin.value) ?? 0);
}

/** What a server’s clock said to who asked at a time. */
export function setClock(origin: string, said: string, askedAt: number): void {
  const ahead = (askedAt + Date.now()) / 2 - Date.parse(said);
  aheadMs.value = new Map(aheadMs.peek()).set(origin, Math.abs(ahead) > noticedMs ? ahead : 0);
}
