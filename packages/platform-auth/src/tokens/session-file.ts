import { JsonFormat } from '@steward/service-kit/files/json-format';
import { Secret } from '@steward/service-kit/secret';
import { timestamp } from '@steward/shared/wire-values';
import { z } from 'zod';
import type { AccountToken } from '../platform/platform-session.ts';

const currentVersion = 1;

const content = z.object({
  /** The existing server's sidecar writes none. */
  version: z.literal(currentVersion).optional(),
  username: z.string().min(1),
  refreshToken: z.string().min(1),
  savedAt: timestamp.optional(),
});

export function printSession({ username, token }: AccountToken, savedAt: string): string {
  const fields = { version: currentVersion, username, refreshToken: token.reveal(), savedAt };
  return `${JSON.stringify(fields, null, 2)}\n`;
}

export const sessionFormat = new JsonFormat<AccountToken>(
  currentVersion,
  content.transform(({ username, refreshToken }) => ({ username, token: new Secret(refreshToken) })),
);

const prefix = 'session-';
const suffix = '.json';
// What stands in a file name as it is. Everything else, slashes and dots in front included, becomes %XX.
const plain = /[A-Za-z0-9_-]/;
const longestName = 200;

export function sessionFileName(username: string): string {
  const safe = [...Buffer.from(username, 'utf8')]
    .map((byte, index) => safeByte(byte, index))
    .join('')
    .slice(0, longestName);
  return `${prefix}${safe}${suffix}`;
}

export function isSessionFileName(name: string): boolean {
  return name.startsWith(prefix) && name.endsWith(suffix);
}

/** Account names differ by more than case. */
export function accountOf(username: string): string {
  return username.toLowerCase();
}

/** The existing server's sidecar writes every name as it is. */
export function isSessionFileOf(username: string, name: string): boolean {
  const names = [sessionFileName(username), `${prefix}${username}${suffix}`];
  return names.some((each) => accountOf(each) === accountOf(name));
}

function safeByte(byte: number, index: number): string {
  const character = String.fromCharCode(byte);
  const isPlain = byte < 128 && (plain.test(character) || (character === '.' && index > 0));
  return isPlain ? character : `%${byte.toString(16).padStart(2, '0').toUpperCase()}`;
}
