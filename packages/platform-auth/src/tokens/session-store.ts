import { randomBytes } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDirectory } from '@steward/service-kit/files/make-directory';
import { type FileSteps, fileSteps, replaceFile } from '@steward/service-kit/files/replace-file';
import type { Secret } from '@steward/service-kit/secret';
import { timestampOf } from '@steward/shared/wire-values';
import type { AccountToken } from '../platform/platform-session.ts';
import {
  printSeeds,
  readSeeds,
  refuseNewerSeeds,
  type SeedFate,
  seedFateIn,
  seedRecordName,
} from './seed-record.ts';
import { accountOf, printSession, sessionFileName } from './session-file.ts';
import { ownerOnlyFile, SessionFiles, type SessionFilesParts, type SessionOnDisk } from './session-files.ts';

const ownerOnlyDirectory = 0o700;
/** More than any session file has. */
const probeBytes = 16 * 1024;
const temporaryPrefix = '.session-';

/** A temporary file that is this old belongs to no save that is still under way. */
const staleTemporaryMs = 60_000;

export interface SessionStoreParts extends SessionFilesParts {
  readonly steps?: FileSteps;
}

/** The session files of `SESSION_DIR`: the one place where credentials rest. */
export class SessionStore {
  readonly #parts: SessionStoreParts;
  readonly #files: SessionFiles;
  readonly #steps: FileSteps;
  readonly #saving = new Set<Promise<void>>();

  constructor(parts: SessionStoreParts) {
    this.#parts = parts;
    this.#files = new SessionFiles(parts);
    this.#steps = parts.steps ?? fileSteps;
  }

  /** Every session that can be read, one for each account. */
  async list(): Promise<readonly AccountToken[]> {
    return (await this.#files.list()).map(({ session }) => session);
  }

  async find(username: string): Promise<AccountToken | undefined> {
    return (await this.#find(username))?.session;
  }

  /** Rejects with what a save would meet, before there is anything to save: a full disk still takes empty files. */
  async checkWritable(): Promise<void> {
    await this.#prepareDirectory();
    const probe = this.#temporary();
    const file = await this.#steps.create(probe, ownerOnlyFile);
    try {
      await this.#steps.write(file, Buffer.alloc(probeBytes));
      await this.#steps.flush(file);
    } finally {
      await file.close();
      await rm(probe);
    }
  }

  /** When this resolves, the session is on the disk, whatever happens next. */
  async save(session: AccountToken): Promise<void> {
    const saving = this.#save(session);
    this.#saving.add(saving);
    await saving.finally(() => this.#saving.delete(saving));
  }

  /** What became of a token that was given in the environment; undefined where it has not been tried. */
  async fateOf(seed: Secret): Promise<SeedFate | undefined> {
    return seedFateIn(await readSeeds(this.#seeds), seed);
  }

  /** That token is not tried again, whatever starts anew. */
  async remember(seed: Secret, fate: SeedFate): Promise<void> {
    await this.#prepareDirectory();
    await refuseNewerSeeds(this.#seeds);
    const at = timestampOf(this.#parts.clock.date());
    const text = printSeeds(await readSeeds(this.#seeds), seed, fate, at);
    await replaceFile(this.#seeds, text, { temporary: this.#temporary(), steps: this.#steps });
  }

  /** Resolves when nothing is being saved any more: whoever had to log in with a guard code must not have to again. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#saving);
  }

  async #save(session: AccountToken): Promise<void> {
    const { directory, clock } = this.#parts;
    await this.#prepareDirectory();
    const existing = await this.#find(session.username);
    const name = existing?.name ?? sessionFileName(session.username);
    await this.#files.refuseNewer(name);
    const temporary = this.#temporary();
    // The name in it stays the one that it is called after, or it would not count.
    const { username } = existing?.session ?? session;
    const text = printSession({ ...session, username }, timestampOf(clock.date()));
    await replaceFile(join(directory, name), text, { temporary, steps: this.#steps });
  }

  /** Saves what became of a session, unless another process has put a different one in its place meanwhile. */
  async replace(previous: AccountToken, renewed: AccountToken): Promise<'saved' | 'superseded'> {
    const current = await this.find(previous.username);
    if (current !== undefined && current.token.reveal() !== previous.token.reveal()) return 'superseded';
    await this.save(renewed);
    return 'saved';
  }

  /** Removes what an interrupted save left: it may hold a token, and nobody will miss it. */
  async removeStaleTemporaries(): Promise<void> {
    const { directory, clock } = this.#parts;
    for (const name of (await this.#files.names()).filter((each) => each.startsWith(temporaryPrefix))) {
      const path = join(directory, name);
      try {
        const { mtimeMs } = await stat(path);
        if (clock.date().getTime() - mtimeMs > staleTemporaryMs) await rm(path, { force: true });
      } catch {
        // Another process has just put it in its place, or it cannot be removed: no reason not to start.
      }
    }
  }

  get #seeds(): string {
    return join(this.#parts.directory, seedRecordName);
  }

  async #find(username: string): Promise<SessionOnDisk | undefined> {
    return (await this.#files.list()).find(({ session }) => sameAccount(session.username, username));
  }

  #temporary(): string {
    return join(this.#parts.directory, `${temporaryPrefix}${randomBytes(8).toString('hex')}.tmp`);
  }

  async #prepareDirectory(): Promise<void> {
    const { directory } = this.#parts;
    await makeDirectory(directory, ownerOnlyDirectory);
    await this.#files.narrow(directory, ownerOnlyDirectory, 'SESSION_DIR');
  }
}

export function sameAccount(one: string, other: string): boolean {
  return accountOf(one) === accountOf(other);
}
