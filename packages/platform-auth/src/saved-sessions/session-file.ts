import { Secret } from '@steward/service-kit/secret';
import { accepted, type Parsed, refused } from '@steward/shared/parsed';
import { timestamp } from '@steward/shared/timestamp';
import { z } from 'zod';

const currentVersion = 1;

/** A session file's content. Files without a version are those of the existing server's sidecar. */
const content = z.object({
  version: z.literal(currentVersion).optional(),
  username: z.string().min(1),
  refreshToken: z.string().min(1),
  savedAt: timestamp.optional(),
});

const versioned = z.looseObject({ version: z.number() });

export interface SavedSession {
  readonly username: string;
  readonly token: Secret;
}

export type UnreadableFile = 'corrupt' | 'newer-version';

export function printSession({ username, token }: SavedSession, savedAt: string): string {
  const fields = { version: currentVersion, username, refreshToken: token.reveal(), savedAt };
  return `${JSON.stringify(fields, null, 2)}\n`;
}

/** A file of a newer version is not corrupt: the program that wrote it will want it back. */
export function parseSession(text: string): Parsed<SavedSession> & { readonly unreadable?: UnreadableFile } {
  const json = parseJson(text);
  const parsed = content.safeParse(json);
  if (parsed.success) {
    const { username, refreshToken } = parsed.data;
    return accepted({ username, token: new Secret(refreshToken) });
  }
  const newer = versioned.safeParse(json);
  if (newer.success && newer.data.version > currentVersion)
    return {
      ...refused(`was written by a newer version of this program (format ${newer.data.version})`),
      unreadable: 'newer-version',
    };
  return { ...refused('cannot be read as a session'), unreadable: 'corrupt' };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const prefix = 'session-';
const suffix = '.json';
// What stands in a file name as it is. Everything else, slashes and dots in front included, becomes %XX.
const plain = /[A-Za-z0-9_-]|(?<=.)\./;
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

function safeByte(byte: number, index: number): string {
  const character = String.fromCharCode(byte);
  const isPlain = byte < 128 && (plain.test(character) || (character === '.' && index > 0));
  return isPlain ? character : `%${byte.toString(16).padStart(2, '0').toUpperCase()}`;
}
