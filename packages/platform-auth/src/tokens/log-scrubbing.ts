import { Writable } from 'node:stream';
import type { LogStream } from '@steward/service-kit/log/logger';
import type { Secret } from '@steward/service-kit/secret';

const shown = '[secret]';
/** Every token of the platform looks like this, wherever it comes from. */
const tokenShape = /eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g;
/** Shorter ones would black out ordinary words, and guard nothing. */
const shortestScrubbed = 5;

/**
 * The last fence before a log: no line should hold a secret, and one that does after all, in the text of some library's
 * error, loses it here.
 */
export function scrubbed(stream: LogStream, secrets: readonly Secret[]): LogStream {
  const scrub = scrubber(secrets);
  const fence = new Writable({
    decodeStrings: false,
    write(line: string | Buffer, _encoding, done) {
      stream.write(scrub(line.toString()));
      done();
    },
  });
  return Object.assign(fence, { isTTY: stream.isTTY === true });
}

/** The same for a text. */
export function scrubber(secrets: readonly Secret[]): (text: string) => string {
  const known = secrets
    .flatMap((secret) => writings(secret.reveal()))
    .filter((text) => text.length >= shortestScrubbed);
  return (text) =>
    known.reduce((rest, secret) => rest.replaceAll(secret, shown), text.replace(tokenShape, shown));
}

/** A secret as it is, and as it looks inside JSON. */
function writings(secret: string): string[] {
  return [...new Set([secret, JSON.stringify(secret).slice(1, -1)])];
}
