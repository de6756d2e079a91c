import { causeOf } from './unreachable.ts';

/** The platform libraries and what they are made of. Errors that surface in them concern the session alone. */
const libraries = [
  'steam-user',
  'steam-session',
  'steam-appticket',
  'steamid',
  'websocket13',
  '@doctormckay',
  'protobufjs',
  '@protobufjs',
  'bytebuffer',
  'kvparser',
  'binarykvparser',
  'socks',
  'socks-proxy-agent',
  'agent-base',
];

const frame = /^\s+at /;
/** Node's own, and what it has built in: `Array.map (<anonymous>)`. Code that protobufjs writes as it runs names protobufjs. */
const nodeFrame = /\(?node:|\(<anonymous>\)|\(native\)/;

/**
 * Whether an error that nobody caught came out of the platform libraries, which throw from callbacks and leave rejections
 * behind. The innermost frame outside Node decides; a network error without any is the libraries', too, since every connection
 * of our own has somebody who hears of its errors.
 */
export function isLibraryLeak(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false;
  const innermost = (cause.stack ?? '').split('\n').find((line) => frame.test(line) && !nodeFrame.test(line));
  if (innermost === undefined) return 'syscall' in cause || 'code' in cause;
  return libraries.some((name) => innermost.includes(`/node_modules/${name}/`));
}

/** What can be said of it: where it happened, but not its text, which may quote what the library was given. */
export function leakFrames(cause: unknown): readonly string[] {
  if (!(cause instanceof Error)) return [];
  const lines = (cause.stack ?? '').split('\n').filter((line) => frame.test(line));
  return [[cause.name, causeOf(cause)].join(' ').trim(), ...lines.slice(0, 8).map((line) => line.trim())];
}

/**
 * Called before a platform library is loaded: where DEBUG is set, they write everything that they see to stderr, tokens
 * and codes included.
 */
export function quietLibraries(): void {
  delete process.env['DEBUG'];
}
