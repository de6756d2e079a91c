import { readdir } from 'node:fs/promises';
import { contentHashesName } from '../changes/content-hashes.ts';
import type { DiskSteps } from '../disk/disk-steps.ts';
import { eachOf } from '../disk/each-of.ts';
import { checkOwnPlaces } from '../disk/prepare.ts';
import { isChunk, openIfThere, readPart } from '../disk/present-chunks.ts';
import type { ChunkSource, ManifestChunk, WantedChunk } from '../manifest/manifest.ts';
import type { Places } from '../names/places.ts';
import type { FileWork, LocalChunk, Plan } from '../plan/plan.ts';
import type { WantedFile } from '../plan/wanted-tree.ts';

/** Reads and writes at once where nothing but the disk is waited for; more do not make it faster. */
const atOnce = 4;

interface Place {
  readonly file: WantedFile;
  readonly part: string;
  readonly offset: number;
}

interface FetchedChunk extends WantedChunk {
  readonly places: Place[];
}

export interface StageReport {
  readonly copied: (chunk: ManifestChunk, file: WantedFile) => void;
  /** Once per place that a chunk was written to. */
  readonly written: (chunk: ManifestChunk, file: WantedFile) => void;
  /** Once per chunk that came. */
  readonly fetched: (chunk: ManifestChunk) => void;
}

/** Gathers the bytes of files beside the tree; what is there is never asked for again. */
export class Stage {
  readonly #places: Places;
  readonly #steps: DiskSteps;
  readonly #report: StageReport;

  constructor(places: Places, steps: DiskSteps, report: StageReport) {
    this.#places = places;
    this.#steps = steps;
    this.#report = report;
  }

  /** Makes room: throws away what belongs to no file of this plan, and what is no file at all. */
  async prepare(work: readonly FileWork[], again: boolean, isBeside: boolean): Promise<void> {
    const { stage, originals, anewName, besideName } = this.#places;
    await this.#steps.makeDirectory(stage);
    await this.#steps.makeDirectory(originals);
    // A link may have come in the place of one of them while the plan was made.
    await checkOwnPlaces(this.#places);
    const begun = await readdir(stage, { withFileTypes: true });
    const goesOn = begun.some(({ name }) => name === anewName);
    const wanted = new Set(work.map(({ part }) => part));
    for (const entry of begun) {
      const path = this.#places.staged(entry.name);
      const isWanted = again ? entry.name === anewName || (goesOn && wanted.has(path)) : wanted.has(path);
      if (!isWanted || !entry.isFile()) await this.#steps.removeDirectory(path);
    }
    for (const entry of await readdir(originals, { withFileTypes: true }))
      if ((again && !goesOn) || !entry.isFile())
        await this.#steps.removeDirectory(this.#places.original(entry.name));
    if (again && !goesOn) await this.#steps.writeWhole(this.#places.staged(anewName), '');
    if (isBeside) await this.#steps.writeWhole(this.#places.staged(besideName), '');
  }

  /** Copies what the tree has, and fetches the rest. */
  async gather(work: readonly FileWork[], source: ChunkSource, signal: AbortSignal): Promise<void> {
    const wanted = new Map<string, FetchedChunk>();
    const want = ({ file, part }: FileWork, chunk: ManifestChunk): void => {
      const known = wanted.get(chunk.id) ?? { depotId: file.depotId, chunk, places: [] };
      known.places.push({ file, part, offset: chunk.offset });
      wanted.set(chunk.id, known);
    };
    await eachOf(work, atOnce, async (each) => {
      signal.throwIfAborted();
      await this.#steps.resize(each.part, each.file.bytes);
      for (const local of each.local) if (!(await this.#copy(each, local))) want(each, local.chunk);
    });
    for (const each of work) for (const chunk of each.missing) want(each, chunk);
    if (wanted.size === 0) return;
    await source.fetchAll(wanted.values(), (chunk, data) => this.#write(chunk, data), signal);
  }

  /** Gives back the room, but for the originals that the next run will want. */
  async clear({ entries }: Pick<Plan, 'entries'>): Promise<void> {
    const { stage, originals } = this.#places;
    await this.#steps.removeDirectory(stage);
    const list = entries.get(contentHashesName);
    await checkOwnPlaces(this.#places);
    for (const name of await readdir(originals))
      if (list?.kind !== 'file' || name !== list.contentKey)
        await this.#steps.remove(this.#places.original(name));
  }

  /** False where the bytes have changed since the plan was made. */
  async #copy({ file, part }: FileWork, { chunk, path, offset }: LocalChunk): Promise<boolean> {
    const from = await openIfThere(path);
    if (from === undefined) return false;
    try {
      const data = await readPart(from, offset, chunk.bytes);
      if (data === undefined || !isChunk(data, chunk)) return false;
      await this.#steps.writeAt(part, data, chunk.offset);
    } finally {
      await from.close();
    }
    this.#report.copied(chunk, file);
    return true;
  }

  async #write({ chunk, places }: FetchedChunk, data: Uint8Array): Promise<void> {
    for (const { file, part, offset } of places) {
      await this.#steps.writeAt(part, data, offset);
      this.#report.written(chunk, file);
    }
    this.#report.fetched(chunk);
  }
}
