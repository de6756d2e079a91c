import { chmod, readdir, readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@steward/service-kit/clock';
import { newerRemedy } from '@steward/service-kit/files/json-format';
import { errorCode, OperatorError } from '@steward/service-kit/process/errors';
import { timestampOf } from '@steward/shared/wire-values';
import type { AccountToken } from '../platform/platform-session.ts';
import {
  accountOf,
  isSessionFileName,
  isSessionFileOf,
  sessionFileName,
  sessionFormat,
} from './session-file.ts';

export const ownerOnlyFile = 0o600;
const permissionBits = 0o777;

/** Whether it may hide a session, or is a remark beside those that were read. */
export type ProblemKind = 'hides' | 'remark';

export interface SessionFilesParts {
  readonly directory: string;
  readonly clock: Pick<Clock, 'date'>;
  /** Told once for each problem, in words for the operator. */
  readonly report: (problem: string, kind: ProblemKind) => void;
  readonly changeMode?: (path: string, mode: number) => Promise<void>;
}

/** A session and the file that it is in. */
export interface SessionOnDisk {
  readonly name: string;
  readonly session: AccountToken;
}

/** Reads what is in `SESSION_DIR`, and tells of what it cannot read. */
export class SessionFiles {
  readonly #parts: SessionFilesParts;
  readonly #reported = new Set<string>();

  constructor(parts: SessionFilesParts) {
    this.#parts = parts;
  }

  /** In the order of their names, one for each account. A directory that is not there holds none. */
  async list(): Promise<readonly SessionOnDisk[]> {
    const found = new Map<string, SessionOnDisk>();
    for (const name of (await this.names()).filter(isSessionFileName).sort()) {
      const session = await this.#read(name);
      if (session === undefined) continue;
      const { username } = session;
      const isItsFile = isSessionFileOf(username, name);
      const isFirst = !found.has(accountOf(username));
      // A backup copy that lies beside it would be taken for it, and keep an old token for ever.
      if (!isItsFile || !isFirst) this.#reportOnce('copies', strayFile, 'remark');
      if (isItsFile && (isFirst || name === sessionFileName(username)))
        found.set(accountOf(username), { name, session });
    }
    return [...found.values()];
  }

  async names(): Promise<readonly string[]> {
    const { directory } = this.#parts;
    try {
      return await readdir(directory);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT')
        this.#reportOnce(directory, `SESSION_DIR cannot be read (${codeOf(error)})`, 'hides');
      return [];
    }
  }

  /** What a newer version has saved is not for this one to replace. */
  async refuseNewer(name: string): Promise<void> {
    const text = await readFile(join(this.#parts.directory, name), 'utf8').catch(() => undefined);
    const present = text === undefined ? undefined : sessionFormat.read(text);
    if (present?.kind === 'newer')
      throw new OperatorError(
        `This account's session file in SESSION_DIR ${present.reason}, and is not replaced. ${newerRemedy}`,
      );
  }

  /** A volume that was made by hand is often open to everybody. One that stays so is used all the same. */
  async narrow(path: string, mode: number, what: string): Promise<void> {
    const { changeMode = chmod } = this.#parts;
    try {
      const current = (await stat(path)).mode & permissionBits;
      if ((current & ~mode) !== 0) await changeMode(path, current & mode);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT')
        this.#reportOnce(
          `mode of ${path}`,
          `${what} is open to others, and its mode cannot be changed (${codeOf(error)})`,
          'remark',
        );
    }
  }

  async #read(name: string): Promise<AccountToken | undefined> {
    const path = join(this.#parts.directory, name);
    await this.narrow(path, ownerOnlyFile, 'A session file');
    let text: string;
    try {
      text = await readFile(path, 'utf8');
    } catch (error) {
      if (errorCode(error) !== 'ENOENT')
        this.#reportOnce(name, `A session file cannot be read (${codeOf(error)})`, 'hides');
      return undefined;
    }
    const read = sessionFormat.read(text);
    if (read.kind === 'content') return read.content;
    if (read.kind === 'corrupt') await this.#setAside(path);
    else
      this.#reportOnce(name, `A session file ${read.reason}; it is left unchanged. ${newerRemedy}`, 'hides');
    return undefined;
  }

  async #setAside(path: string): Promise<void> {
    const aside = `${path}.corrupt-${timestampOf(this.#parts.clock.date()).replace(/[^0-9]/g, '')}`;
    try {
      await rename(path, aside);
      this.#parts.report(
        'A session file was corrupt; it was set aside in SESSION_DIR under a name with "corrupt"',
        'remark',
      );
    } catch (error) {
      this.#reportOnce(path, `A session file is corrupt and cannot be set aside (${codeOf(error)})`, 'hides');
    }
  }

  #reportOnce(subject: string, problem: string, kind: ProblemKind): void {
    if (this.#reported.has(subject)) return;
    this.#reported.add(subject);
    this.#parts.report(problem, kind);
  }
}

const strayFile =
  'A session file in SESSION_DIR is not used: for each account only session-<account>.json is used. Rename the file, or remove it, because it may contain a token';

function codeOf(error: unknown): string {
  return errorCode(error) ?? 'unknown error';
}
