import { createHash, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

/**
 * Sessions of one account at one address that share this number replace one another. A service that starts again may
 * replace what is left of itself; commands beside it must not, and neither may two of the same command.
 */
export function logonIdOf(command: string, host: string = hostname()): number {
  const run = command === 'serve' ? [] : [randomUUID()];
  const number = createHash('sha256')
    .update([host, command, ...run].join('\0'))
    .digest()
    .readUInt32BE();
  // Zero means "the default", which other programs use.
  return number === 0 ? 1 : number;
}
