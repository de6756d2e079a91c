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
  /** Told when a problem with a file, told before, is there no longer. */
  readonly mended?: (problem: string) => void;
  readonly changeMode?: (path: string, mode: number) => Promise<void>;
  /** For whoever changes nothing: modes stay as they are, and a corrupt file where it is. */
  readonly isReadOnly?: boolean;
}

/** A session and the file that it is in. */
export interface SessionOnDisk {
  readonly name: string;
  readonly session: AccountToken;
}

/** Reads what is in `SESSION_DIR`, and tells of what it cannot read. */
export class SessionFiles {
  readonly #parts: SessionFilesParts;
  /** What has been told, by what it concerns. */
  readonly #told = new Map<string, string>();

  constructor(parts: SessionFilesParts) {
    this.#parts = parts;
  }

  /** In the order of their names, one for each account. A directory that is not there holds none. */
  async list(): Promise<readonly SessionOnDisk[]> {
    const found = new Map<string, SessionOnDisk>();
    const met = new Set<string>();
    for (const name of (await this.#names(met)).filter(isSessionFileName).sort()) {
      const session = await this.#read(name, met);
      if (session === undefined) continue;
      const { username } = session;
      const isItsFile = isSessionFileOf(username, name);
      const isFirst = !found.has(accountOf(username));
      // A backup copy that lies beside it would be taken for it, and keep an old token for ever.
      if (!isItsFile || !isFirst) this.#reportOnce('copies', strayFile, 'remark', met);
      if (isItsFile && (isFirst || name === sessionFileName(username)))
        found.set(accountOf(username), { name, session });
    }
    this.#takeBack(met);
    return [...found.values()];
  }

  names(): Promise<readonly string[]> {
    return this.#names(new Set());
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
  async narrow(path: string, mode: number, what: string, met = new Set<string>()): Promise<void> {
    const { changeMode = chmod } = this.#parts;
    try {
      const current = (await stat(path)).mode & permissionBits;
      if ((current & ~mode) !== 0) await changeMode(path, current & mode);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT')
        this.#reportOnce(
          modeOf(path),
          `${what} is open to others, and its mode cannot be changed (${codeOf(error)})`,
          'remark',
          met,
        );
    }
  }

  async #names(met: Set<string>): Promise<readonly string[]> {
    const { directory } = this.#parts;
    try {
      return await readdir(directory);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT')
        this.#reportOnce(directory, `SESSION_DIR cannot be read (${codeOf(error)})`, 'hides', met);
      return [];
    }
  }

  async #read(name: string, met: Set<string>): Promise<AccountToken | undefined> {
    const { directory, isReadOnly = false } = this.#parts;
    const path = join(directory, name);
    if (!isReadOnly) await this.narrow(path, ownerOnlyFile, 'A session file', met);
    let text: string;
    try {
      text = await readFile(path, 'utf8');
    } catch (error) {
      if (errorCode(error) !== 'ENOENT')
        this.#reportOnce(name, `A session file cannot be read (${codeOf(error)})`, 'hides', met);
      return undefined;
    }
    const read = sessionFormat.read(text);
    if (read.kind === 'content') return read.content;
    if (read.kind === 'newer')
      this.#reportOnce(
        name,
        `A session file ${read.reason}; it is left unchanged. ${newerRemedy}`,
        'hides',
        met,
      );
    else if (isReadOnly) this.#reportOnce(name, 'A session file is corrupt and is not used', 'hides', met);
    else await this.#setAside(path, met);
    return undefined;
  }

  async #setAside(path: string, met: Set<string>): Promise<void> {
    const aside = `${path}.corrupt-${timestampOf(this.#parts.clock.date()).replace(/[^0-9]/g, '')}`;
    try {
      await rename(path, aside);
      this.#parts.report(
        'A session file was corrupt; it was set aside in SESSION_DIR under a name with "corrupt"',
        'remark',
      );
    } catch (error) {
      this.#reportOnce(
        path,
        `A session file is corrupt and cannot be set aside (${codeOf(error)})`,
        'hides',
        met,
      );
    }
  }

  #reportOnce(subject: string, problem: string, kind: ProblemKind, met: Set<string>): void {
    met.add(subject);
    if (this.#told.has(subject)) return;
    this.#told.set(subject, problem);
    this.#parts.report(problem, kind);
  }

  /** What a look at all files has not met again. */
  #takeBack(met: ReadonlySet<string>): void {
    for (const [subject, problem] of this.#told) {
      // A save alone looks at the directory's own mode.
      if (met.has(subject) || subject === modeOf(this.#parts.directory)) continue;
      this.#told.delete(subject);
      if (![...this.#told.values()].includes(problem)) this.#parts.mended?.(problem);
    }
  }
}

const strayFile =
  'A session file in SESSION_DIR is not used: for each account only session-<account>.json is used. Rename the file, or remove it, because it may contain a token';

function codeOf(error: unknown): string {
  return errorCode(error) ?? 'unknown error';
}

function modeOf(path: string): string {
  return `mode of ${path}`;
}
