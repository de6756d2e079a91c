import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDirectory } from '@steward/service-kit/files/make-directory';
import { readRegular } from '@steward/service-kit/files/read-regular';
import { type FileSteps, fileSteps, replaceFile } from '@steward/service-kit/files/replace-file';
import { errorCode } from '@steward/service-kit/process/errors';
import type { OwnershipProblemCode } from '@steward/shared/api/answers/readiness';
import type { MendableTrouble, Trouble } from '@steward/shared/problems/trouble';
import { type OwnershipMap, ownershipFormat, printMap } from './ownership-map.ts';

/** Below STATE_DIR. */
export const farmsName = 'farms';

export const fileName = 'farmhand-ownership.json';

export type FileContent =
  | { readonly kind: 'absent' }
  | { readonly kind: 'map'; readonly map: OwnershipMap }
  | { readonly kind: 'corrupt'; readonly bytes: Uint8Array }
  /** It is left as it is: written by a newer version, or not to be read at all. */
  | { readonly kind: 'closed'; readonly reason: string };

/** The map of each farm at `<directory>/<farmId>/farmhand-ownership.json`. What cannot be read is never overwritten. */
export class OwnershipFile {
  readonly #directory: string;
  readonly #steps: FileSteps;
  /** What was kept aside last, until a map is written. */
  #aside: { readonly farmId: string; readonly bytes: Uint8Array; readonly name: string } | undefined;

  constructor(directory: string, steps: FileSteps = fileSteps) {
    this.#directory = directory;
    this.#steps = steps;
  }

  path(farmId: string): string {
    return join(this.#directory, farmId, fileName);
  }

  async read(farmId: string): Promise<FileContent> {
    let bytes: Buffer;
    try {
      bytes = await readRegular(this.path(farmId));
    } catch (error) {
      const code = errorCode(error);
      return code === 'ENOENT'
        ? { kind: 'absent' }
        : { kind: 'closed', reason: `cannot be read (${code ?? 'unknown error'})` };
    }
    const read = ownershipFormat.read(bytes.toString('utf8'));
    switch (read.kind) {
      case 'content':
        return { kind: 'map', map: read.content };
      case 'newer':
        return { kind: 'closed', reason: read.reason };
      case 'corrupt':
        return { kind: 'corrupt', bytes };
    }
  }

  /** When this resolves, the map is on the disk, whatever happens next. */
  async write(farmId: string, map: OwnershipMap): Promise<void> {
    await makeDirectory(join(this.#directory, farmId));
    await replaceFile(this.path(farmId), printMap(map), { steps: this.#steps });
    this.#aside = undefined;
  }

  /**
   * Copies what cannot be read to a name of its own. The file itself stays until a map takes its place in one step: were
   * it moved away, a crash in between would look like a farm on which nobody owns anything.
   */
  async keepAside(farmId: string, bytes: Uint8Array, date: Date): Promise<string> {
    const last = this.#aside;
    // Where no map can take its place it is looked at again and again, and one copy is enough.
    if (
      last?.farmId === farmId &&
      Buffer.compare(last.bytes, bytes) === 0 &&
      (await exists(join(this.#directory, farmId, last.name)))
    )
      return last.name;
    const stem = `${fileName}.corrupt-${date.toISOString().replace(/[^0-9]/g, '')}`;
    let name = stem;
    for (let attempt = 2; await exists(join(this.#directory, farmId, name)); attempt += 1)
      name = `${stem}-${attempt}`;
    await replaceFile(join(this.#directory, farmId, name), bytes, { steps: this.#steps });
    this.#aside = { farmId, bytes, name };
    return name;
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** What is wrong with the ownership of farmhands, for the operator. */
export interface OwnershipProblem extends MendableTrouble {
  readonly code: OwnershipProblemCode;
  readonly since: Date;
}

const mendIt =
  'Fix it, or update the control API if a newer one wrote it; it is read again at the next attempt to join';

export function unreadableProblem(
  path: string,
  { reason, remedy = mendIt }: Trouble,
  since: Date,
): OwnershipProblem {
  return {
    code: 'ownership-unreadable',
    reason: `${path} ${reason}. It is left unchanged, and nobody can join: it is unknown who owns the farmhands`,
    remedy,
    since,
  };
}

export function unwritableProblem(path: string, code: string, since: Date): OwnershipProblem {
  return {
    code: 'ownership-unwritable',
    reason: `${path} cannot be written (${code}). Owners can join, but nobody new can: their claims would be lost`,
    remedy: 'Free some space and let the service write to STATE_DIR; Steward recovers by itself',
    since,
  };
}

export function incompleteProblem(doubtful: number, aside: string, since: Date): OwnershipProblem {
  return {
    code: 'ownership-incomplete',
    reason: `The ownership map was corrupt and is kept as ${aside}. The owners of ${doubtful} farmhands are unknown, so nobody can join with them unless the game can prove who owns them; new farmhands are not affected`,
    remedy:
      'POST /farmhands/rebind for each of them, with the id from the log line of its owner’s next attempt, and POST /farmhands/release for those that were made over direct IP; or stop the service, replace the map with a good one, and start it',
    since,
  };
}
