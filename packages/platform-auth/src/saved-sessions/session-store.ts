import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@steward/service-kit/clock';
import { newerRemedy } from '@steward/service-kit/files/file-versions';
import { type FileSteps, fileSteps, replaceFile } from '@steward/service-kit/files/replace-file';
import { OperatorError } from '@steward/service-kit/process/operator-error';
import { errorCode } from '@steward/shared/error-code';
import { timestampOf } from '@steward/shared/timestamp';
import {
  isSessionFileName,
  printSession,
  type SavedSession,
  sessionFileName,
  sessionFormat,
} from './session-file.ts';

const ownerOnlyDirectory = 0o700;
const ownerOnlyFile = 0o600;
const permissionBits = 0o777;
/** More than any session file has. */
const probeBytes = 16 * 1024;
const temporaryPrefix = '.session-';

/** A temporary file that is this old belongs to no save that is still under way. */
const staleTemporaryMs = 60_000;

export interface SessionStoreParts {
  readonly directory: string;
  readonly clock: Pick<Clock, 'date'>;
  /** Told once for each file that could not be read, in words for the operator. */
  readonly report: (problem: string) => void;
  readonly steps?: FileSteps;
}

/** The session files of `SESSION_DIR`: the one place where credentials rest. */
export class SessionStore {
  readonly #parts: SessionStoreParts;
  readonly #steps: FileSteps;
  readonly #reported = new Set<string>();

  constructor(parts: SessionStoreParts) {
    this.#parts = parts;
    this.#steps = parts.steps ?? fileSteps;
  }

  /** Every session that can be read, in the order of their names. A directory that is not there holds none. */
  async list(): Promise<readonly SavedSession[]> {
    const names = await this.#names();
    const sessions: SavedSession[] = [];
    for (const name of names.filter(isSessionFileName).sort()) {
      const session = await this.#read(name);
      if (session !== undefined) sessions.push(session);
    }
    return sessions;
  }

  /** Account names differ by more than case. */
  async find(username: string): Promise<SavedSession | undefined> {
    return (await this.list()).find((session) => sameAccount(session.username, username));
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
  async save(session: SavedSession): Promise<void> {
    const { directory, clock } = this.#parts;
    await this.#prepareDirectory();
    const existing = await this.find(session.username);
    const name = sessionFileName(existing?.username ?? session.username);
    await refuseNewer(join(directory, name));
    const temporary = this.#temporary();
    const text = printSession(session, timestampOf(clock.date()));
    await replaceFile(join(directory, name), text, { temporary, steps: this.#steps });
  }

  /** Saves what became of a session, unless another process has put a different one in its place meanwhile. */
  async replace(previous: SavedSession, renewed: SavedSession): Promise<'saved' | 'superseded'> {
    const current = await this.find(previous.username);
    if (current !== undefined && current.token.reveal() !== previous.token.reveal()) return 'superseded';
    await this.save(renewed);
    return 'saved';
  }

  /** Removes what an interrupted save left: it may hold a token, and nobody will miss it. */
  async removeStaleTemporaries(): Promise<void> {
    const { directory, clock } = this.#parts;
    for (const name of (await this.#names()).filter((each) => each.startsWith(temporaryPrefix))) {
      const path = join(directory, name);
      try {
        const { mtimeMs } = await stat(path);
        if (clock.date().getTime() - mtimeMs > staleTemporaryMs) await rm(path, { force: true });
      } catch {
        // Another process has just put it in its place, or it cannot be removed: no reason not to start.
      }
    }
  }

  #temporary(): string {
    return join(this.#parts.directory, `${temporaryPrefix}${randomBytes(8).toString('hex')}.tmp`);
  }

  async #names(): Promise<readonly string[]> {
    try {
      return await readdir(this.#parts.directory);
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return [];
      this.#reportOnce(
        this.#parts.directory,
        `SESSION_DIR cannot be read (${errorCode(error) ?? 'unknown error'})`,
      );
      return [];
    }
  }

  async #read(name: string): Promise<SavedSession | undefined> {
    const path = join(this.#parts.directory, name);
    let text: string;
    try {
      await narrow(path, ownerOnlyFile);
      text = await readFile(path, 'utf8');
    } catch (error) {
      if (errorCode(error) !== 'ENOENT')
        this.#reportOnce(name, `A session file cannot be read (${errorCode(error) ?? 'unknown error'})`);
      return undefined;
    }
    const read = sessionFormat.read(text);
    if (read.kind === 'content') return read.content;
    if (read.kind === 'corrupt') await this.#setAside(path);
    else this.#reportOnce(name, `A session file ${read.reason}; it is left as it is. ${newerRemedy}`);
    return undefined;
  }

  async #setAside(path: string): Promise<void> {
    const aside = `${path}.corrupt-${timestampOf(this.#parts.clock.date()).replace(/[^0-9]/g, '')}`;
    try {
      await rename(path, aside);
      this.#parts.report(
        'A session file was corrupt; it was set aside in SESSION_DIR under a name with "corrupt"',
      );
    } catch (error) {
      this.#reportOnce(
        path,
        `A session file is corrupt and cannot be set aside (${errorCode(error) ?? 'unknown error'})`,
      );
    }
  }

  async #prepareDirectory(): Promise<void> {
    const { directory } = this.#parts;
    await mkdir(directory, { recursive: true, mode: ownerOnlyDirectory });
    try {
      await narrow(directory, ownerOnlyDirectory);
    } catch (error) {
      this.#reportOnce(
        'mode',
        `SESSION_DIR is open to others and cannot be closed to them (${errorCode(error) ?? 'unknown error'})`,
      );
    }
  }

  #reportOnce(subject: string, problem: string): void {
    if (this.#reported.has(subject)) return;
    this.#reported.add(subject);
    this.#parts.report(problem);
  }
}

export function sameAccount(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** What a newer version has saved is not for this one to replace. */
async function refuseNewer(path: string): Promise<void> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  const present = text === undefined ? undefined : sessionFormat.read(text);
  if (present?.kind === 'newer')
    throw new OperatorError(
      `This account's session file in SESSION_DIR ${present.reason}, and is not replaced. ${newerRemedy}`,
    );
}

/** A volume that was made by hand is often open to everybody. */
async function narrow(path: string, mode: number): Promise<void> {
  const current = (await stat(path)).mode & permissionBits;
  if ((current & ~mode) !== 0) await chmod(path, current & mode);
}
