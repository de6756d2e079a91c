import { accepted, type Parsed, refused } from '@steward/shared/parsed';

export type ListenAddress =
  | { readonly kind: 'unix'; readonly path: string }
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number };

/** What the system takes as the name of a socket. */
const longestSocketPath = 107;
const tcp = /^tcp:(\[[0-9a-fA-F:.]+\]|[^:[\]]+):([0-9]{1,5})$/;

/** `unix:<path>` or `tcp:<host>:<port>`. */
export function parseListenAddress(text: string): Parsed<ListenAddress> {
  if (text.startsWith('unix:')) {
    const path = text.slice('unix:'.length);
    if (path === '') return refused('names no path after unix:');
    if (Buffer.byteLength(path) > longestSocketPath)
      return refused(`names a socket path longer than ${longestSocketPath} bytes; choose a shorter one`);
    return accepted({ kind: 'unix', path });
  }
  const match = tcp.exec(text);
  const [, host, port] = match ?? [];
  if (host === undefined || port === undefined || Number(port) > 65_535)
    return refused('is neither unix:<path> nor tcp:<host>:<port>');
  return accepted({ kind: 'tcp', host: host.replace(/^\[|\]$/g, ''), port: Number(port) });
}
