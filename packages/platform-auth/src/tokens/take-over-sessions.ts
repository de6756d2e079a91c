import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sessionFormat } from './session-file.ts';
import type { SessionStore } from './session-store.ts';

/** Where the existing sidecar keeps a session: in a folder named for the account. Its older, flat files ours reads as they are. */
const fileName = 'session.json';

export interface TakeOverLog {
  readonly takenOver: (username: string) => void;
  readonly fileProblem: (problem: string) => void;
  readonly notSaved: (error: unknown) => void;
}

/**
 * Saves the existing sidecar's sessions as ours, unless ours are there. Its files stay for a way back, which is open until
 * the token is renewed.
 */
export async function takeOverSessions(
  directory: string,
  store: Pick<SessionStore, 'find' | 'save'>,
  log: TakeOverLog,
): Promise<void> {
  for (const folder of await foldersIn(directory)) {
    const path = join(directory, folder, fileName);
    const text = await readFile(path, 'utf8').catch(() => undefined);
    if (text === undefined) continue;
    const session = sessionFormat.read(text);
    if (session.kind !== 'content') {
      const reason = session.kind === 'newer' ? session.reason : 'cannot be read as a session';
      log.fileProblem(`A session of the existing sidecar ${reason}; it is left unchanged`);
      continue;
    }
    const { username } = session.content;
    if ((await store.find(username)) !== undefined) continue;
    await store.save(session.content).then(() => log.takenOver(username), log.notSaved);
  }
}

async function foldersIn(directory: string): Promise<readonly string[]> {
  // A directory that is not there or cannot be read is the session store's to report.
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}
