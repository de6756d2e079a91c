const largestPort = 65_535;

export type BridgeAddress = { readonly path: string } | { readonly host: string; readonly port: number };

/** Where a bridge listens: `unix:<path>` or `tcp:<host>:<port>`; undefined for anything else. */
export function parseAddress(text: string): BridgeAddress | undefined {
  if (text.startsWith('unix:') && text.length > 5) return { path: text.slice(5) };
  const [, host, port] = /^tcp:(.+):([0-9]{1,5})$/.exec(text) ?? [];
  return host === undefined || Number(port) > largestPort ? undefined : { host, port: Number(port) };
}
