/** For as long as the page is there: some browsers let it keep nothing anywhere else. */
const held = new Map<string, string>();

/** Where keys are kept: for this tab alone, or on the device where somebody asked for that. */
const name = (origin: string) => `steward key ${origin}`;

/** Whether it can be one: nothing else goes into a header. */
export function isKey(text: string): boolean {
  return /^[!-~]([ -~]*[!-~])?$/.test(text);
}

export function keptKey(origin: string): string | undefined {
  return held.get(origin) ?? read(() => sessionStorage, origin) ?? read(() => localStorage, origin);
}

/** Whether the one that is used is kept on the device. */
export function isOnDevice(origin: string): boolean {
  const kept = read(() => localStorage, origin);
  return kept !== undefined && kept === keptKey(origin);
}

/** Where nothing is said of the device, as by a link, it is for this tab, and what is kept there stays. */
export function keepKey(origin: string, key: string, onDevice?: boolean): void {
  if (onDevice !== undefined) forgetKey(origin);
  held.set(origin, key);
  whereLet(() => (onDevice ? localStorage : sessionStorage).setItem(name(origin), key));
}

/** The one that is used: what is kept on the device beside one of this tab stays. */
export function forgetKey(origin: string): void {
  if (isOnDevice(origin)) whereLet(() => localStorage.removeItem(name(origin)));
  held.delete(origin);
  whereLet(() => sessionStorage.removeItem(name(origin)));
}

/** What a browser may forbid, as those do that block cookies: nothing that the page cannot do without. */
export function whereLet<Got>(use: () => Got): Got | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}

function read(storage: () => Storage, origin: string): string | undefined {
  const kept = whereLet(() => storage().getItem(name(origin))) ?? '';
  return isKey(kept) ? kept : undefined;
}

/** Takes a key out of `#key=…`, where a link brought one, and leaves none of it: not in the address, not in the history. */
export function keyFromFragment(): string | undefined {
  // A key that somebody put in by hand has its + as it is: it is no space.
  const given = new URLSearchParams(location.hash.slice(1).replaceAll('+', '%2B')).get('key');
  if (given === null) return undefined;
  history.replaceState(history.state, '', location.pathname + location.search);
  return isKey(given) ? given : undefined;
}
