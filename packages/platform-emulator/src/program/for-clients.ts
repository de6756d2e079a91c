import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Platform } from '../running-platform.ts';

/** Files for clients that cannot read what the emulator prints: whom to trust, and what reads its tickets. */
export function writeForClients({ caPem, ticketKey }: Platform, directory: string): void {
  mkdirSync(directory, { recursive: true });
  replace(join(directory, 'ca.pem'), caPem);
  replace(join(directory, 'ticket-key'), `${ticketKey.toString('hex')}\n`);
}

/** A client that starts meanwhile finds the old file or the new one, never half of it. */
function replace(path: string, text: string): void {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}
