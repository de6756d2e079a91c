/** Where keys are kept: for this tab alone, or on the device where somebody asked for that. */
const name = (origin: string) => `steward key ${origin}`;

/** Whether it can be one: nothing else goes into a header. */
export function isKey(text: string): boolean {
  return /^[!-~]+$/.test(text);
}

export function keptKey(origin: string): string | undefined {
  return read(sessionStorage, origin) ?? read(localStorage, origin);
}

export function isOnDevice(origin: string): boolean {
  return read(localStorage, origin) !== undefined;
}

export function keepKey(origin: string, key: string, onDevice: boolean): void {
  forgetKey(origin);
  (onDevice ? localStorage : sessionStorage).setItem(name(origin), key);
}

export function forgetKey(origin: string): void {
  sessionStorage.removeItem(name(origin));
  localStorage.removeItem(name(origin));
}

function read(storage: Storage, origin: string): string | undefined {
  const kept = storage.getItem(name(origin)) ?? '';
  return isKey(kept) ? kept : undefined;
}

/** Takes a key out of `#key=…`, where a link brought one, and leaves none of it: not in the address, not in the history. */
export function keyFromFragment(): string | undefined {
  const given = new URLSearchParams(location.hash.slice(1)).get('key');
  if (given === null) return undefined;
  history.replaceState(history.state, '', location.pathname + location.search);
  return isKey(given) ? given : undefined;
}
