import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock } from '@steward/service-kit/clock';
import { makeDirectory } from '@steward/service-kit/files/make-directory';
import { isLink, readRegular, refuseLostLink } from '@steward/service-kit/files/read-regular';
import { type FileSteps, fileSteps, type Likeness, stageFile } from '@steward/service-kit/files/replace-file';
import { readJson, withoutMark } from '@steward/service-kit/json';
import type { Log } from '@steward/service-kit/log/logger';
import { errorCode } from '@steward/service-kit/process/errors';
import { firstIssue } from '@steward/shared/bridge/rpc-message';
import type { MendableTrouble } from '@steward/shared/problems/trouble';
import { issueOf, type Lists, listsFormat, noLists, printLists } from './lists.ts';

/** In STATE_DIR. */
export const listsName = 'bans.json';

/** Nobody keeps a list of this size: what is larger is something else. */
const largestFileBytes = 16 * 1024 * 1024;

/** What is wrong with the file, for the operator. */
export interface ListsProblem extends MendableTrouble {
  /** `outdated`: what was read before holds. */
  readonly code: 'bans-unreadable' | 'bans-outdated';
  readonly since: Date;
}

export interface ListsRegisterParts {
  readonly path: string;
  readonly clock: Pick<Clock, 'date'>;
  readonly log: Pick<Log, 'info' | 'error'>;
  readonly steps?: FileSteps;
}

type Stamp = Likeness & { readonly text: string };

/**
 * The file of bans, as it was read last. People edit it: whoever asks looks first whether it is another by now. One that cannot be read
 * is left as it is, for whoever wrote it to mend: what was read before holds meanwhile, and where nothing was, nobody can tell who is
 * kept out.
 */
export class ListsRegister {
  readonly #parts: ListsRegisterParts;
  #lists: Lists | undefined;
  #stamp: Stamp | undefined;
  #wasRead = false;
  #wasThere = false;
  #problem: ListsProblem | undefined;
  #looking: Promise<void> | undefined;
  #isWriting = false;
  #queue: Promise<unknown> = Promise.resolve();
  readonly #followers = new Set<(after: Lists, before: Lists | undefined) => void>();

  constructor(parts: ListsRegisterParts) {
    this.#parts = parts;
  }

  /** Undefined where nobody can tell what stands in the file, and nothing was read of it before. */
  get lists(): Lists | undefined {
    return this.#lists;
  }

  get problem(): ListsProblem | undefined {
    return this.#problem;
  }

  /** Whether the last look found it: of one that is missed once, only the next look knows whether it is gone. */
  get isThere(): boolean {
    return this.#wasThere;
  }

  /** Calls back with what stands in the file, by whomever it was changed; of what is read first nobody knows what was before. */
  follow(follower: (after: Lists, before: Lists | undefined) => void): void {
    this.#followers.add(follower);
  }

  /** One change at a time: each decides from what the one before has written. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work);
    this.#queue = result.catch(() => {});
    return result;
  }

  /** Resolves when what stands in the file now has been taken up. */
  look(): Promise<void> {
    // What is half-way into the file is nobody's hand-writing, and no try to join waits for a slow disk.
    if (this.#isWriting) return Promise.resolve();
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** Throws when it cannot be kept; then everything is as it was. */
  async commit(lists: Lists): Promise<void> {
    await this.#looking;
    this.#isWriting = true;
    try {
      this.#stamp = await this.#write(lists);
    } finally {
      this.#isWriting = false;
    }
    this.#wasThere = true;
    this.#takeUp(lists, false);
  }

  /** Whether a write would put a file in the place of a link. */
  isLink(): Promise<boolean> {
    return isLink(this.#parts.path);
  }

  /** Nobody changes the file while somebody else puts another in its place, which holds from then on. */
  whileReplaced(replace: () => Promise<void>): Promise<void> {
    return this.exclusively(async () => {
      await replace();
      await this.#looking;
      await this.look();
    });
  }

  /** Resolves when nothing is being written any more. */
  async close(): Promise<void> {
    await this.#queue;
  }

  async #look(): Promise<void> {
    const { path } = this.#parts;
    let stamp: Stamp | undefined;
    try {
      stamp = await stampOf(path);
      const wasThere = this.#wasThere;
      this.#wasThere = stamp !== undefined;
      if (this.#wasRead && stamp?.text === this.#stamp?.text) return;
      if (stamp !== undefined) await this.#read(stamp);
      // Editors put a file aside and write it anew: only the second look in a row believes that it is gone. One that cannot be read is taken away on purpose.
      else if (wasThere && this.#problem === undefined) return;
      else this.#takeUp(noLists, this.#wasRead);
    } catch (error) {
      this.#wasThere = true;
      this.#closed(`cannot be read (${errorCode(error) ?? 'unknown error'})`);
      this.#wasRead = false;
      return;
    }
    this.#stamp = stamp;
    this.#wasRead = true;
  }

  async #read({ text: _, ...stamp }: Stamp & { readonly size?: number }): Promise<void> {
    if ((stamp.size ?? 0) > largestFileBytes) return this.#closed('is too large for a list of bans');
    const reading = { followsLinks: true, mostBytes: largestFileBytes };
    const text = (await readRegular(this.#parts.path, reading)).toString();
    const read = listsFormat.read(text);
    if (read.kind === 'content') this.#takeUp(read.content, this.#wasRead);
    else this.#closed(read.kind === 'newer' ? read.reason : corruptBy(text));
  }

  /** By its new name it is the same file: what somebody writes in its place from here on is seen. */
  async #write(lists: Lists): Promise<Stamp | undefined> {
    const { path, steps = fileSteps } = this.#parts;
    const temporary = `${path}.new`;
    await makeDirectory(dirname(path));
    const staged = await stageFile(path, printLists(lists), { temporary, steps, like: this.#stamp });
    const stamp = await stampOf(temporary);
    await staged.publish();
    return stamp;
  }

  #takeUp(lists: Lists, byHand: boolean): void {
    const before = this.#lists;
    if (this.#problem !== undefined) this.#parts.log.info({}, `${this.#parts.path} can be read again`);
    this.#problem = undefined;
    this.#lists = lists;
    if (byHand) this.#parts.log.info({}, `${this.#parts.path} was edited, and the change is in effect`);
    for (const follower of this.#followers) follower(lists, before);
  }

  #closed(why: string): void {
    const { path, log, clock } = this.#parts;
    const isKnown = this.#lists !== undefined;
    const problem: ListsProblem = {
      code: isKnown ? 'bans-outdated' : 'bans-unreadable',
      reason: isKnown
        ? `${path} ${why}. It is left unchanged, and the last version that could be read still applies`
        : `${path} ${why}. It is left unchanged, and nobody can join: it is unknown who is banned`,
      remedy:
        'Fix it, or restore a good one, for example from a backup; or update the control API if a newer one wrote it. Steward reads it again by itself',
      since: this.#problem?.since ?? clock.date(),
    };
    if (this.#problem?.reason === problem.reason) return;
    this.#problem = problem;
    log.error({ remedy: problem.remedy }, problem.reason);
  }
}

function corruptBy(text: string): string {
  const error = issueOf(readJson(withoutMark(text)));
  return `is not a list of bans${error === undefined ? '' : `: ${firstIssue(error)}`}`;
}

/** Undefined where there is no file; throws for a link to none. */
async function stampOf(path: string): Promise<(Stamp & { readonly size: number }) | undefined> {
  try {
    const { mtimeNs, ino, size, mode, uid, gid } = await stat(path, { bigint: true });
    return {
      text: `${mtimeNs} ${ino} ${size}`,
      size: Number(size),
      mode: Number(mode),
      uid: Number(uid),
      gid: Number(gid),
    };
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    await refuseLostLink(path);
    return undefined;
  }
}
