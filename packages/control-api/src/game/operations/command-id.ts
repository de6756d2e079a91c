import { createHash, randomBytes } from 'node:crypto';

/** What a request is, whatever the order in which its members were written. */
export function fingerprintOf(request: unknown): string {
  return digest(stable(request)).toString('hex').slice(0, 32);
}

export function keyDigestOf(key: string): string {
  return digest(key).toString('hex').slice(0, 32);
}

/**
 * The same key and request on the same day give the same id, so that the game's journal knows a retry even when
 * the record of the first attempt is lost. The day keeps a key that is used for ever from being answered by a journal
 * long after this side has forgotten it.
 */
export function derivedCommandId(keyDigest: string, fingerprint: string, date: Date): string {
  const day = date.toISOString().slice(0, 10);
  return digest(`${keyDigest} ${fingerprint} ${day}`).readBigUInt64BE().toString();
}

export function randomCommandId(): string {
  return randomBytes(8).readBigUInt64BE().toString();
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function stable(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stable).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${stable(member)}`).join()}}`;
}
