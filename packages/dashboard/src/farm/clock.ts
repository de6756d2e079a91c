import { signal } from '@preact/signals';

/** How far the clock of this machine goes before the server's. */
const aheadMs = signal(0);
/** Less nobody notices, and a slow answer may be the reason. */
const noticedMs = 2_000;

/** What the time is where all times come from. */
export function serverNow(here: number = Date.now()): number {
  return here - aheadMs.value;
}

/** What the server’s clock said to who asked at a time. */
export function setClock(said: string, askedAt: number): void {
  const ahead = (askedAt + Date.now()) / 2 - Date.parse(said);
  aheadMs.value = Math.abs(ahead) > noticedMs ? ahead : 0;
}
