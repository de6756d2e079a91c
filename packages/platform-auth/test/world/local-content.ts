import { createHash } from 'node:crypto';
import { contentOf, type Depot, type DepotFile } from '@steward/platform-emulator/depot/depot';
import { chunkSize } from '@steward/platform-emulator/depot/make-depot';
import type {
  Catalogue,
  ChunkSource,
  DepotManifest,
  ManifestFile,
  WantedChunk,
} from '../../src/download/manifest/manifest.ts';

type Read = () => Buffer;

/** The emulator's depots without the network between: manifests and chunks straight from the builder. */
export class LocalContent implements Catalogue, ChunkSource {
  /** Each chunk that was given out and taken in. */
  readonly fetched: string[] = [];
  /** Called before a chunk is given out; may throw as a network does. */
  beforeChunk: (id: string) => Promise<void> = async () => {};
  readonly #apps = new Map<number, readonly DepotManifest[]>();
  readonly #chunks = new Map<string, Read>();

  publish(appId: number, depots: readonly Depot[]): void {
    this.#apps.set(
      appId,
      depots.map(({ depotId, manifestId, files }) => ({
        appId,
        depotId,
        manifestId,
        files: files.map((file) => this.#manifestFile(file)),
      })),
    );
  }

  publishManifests(appId: number, manifests: readonly DepotManifest[]): void {
    this.#apps.set(appId, manifests);
  }

  async manifestsOf(appId: number): Promise<readonly DepotManifest[]> {
    return this.#apps.get(appId) ?? [];
  }

  async fetchAll<W extends WantedChunk>(
    wanted: Iterable<W> | AsyncIterable<W>,
    deliver: (wanted: W, data: Uint8Array) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    for await (const each of wanted) {
      signal.throwIfAborted();
      await this.beforeChunk(each.chunk.id);
      const read = this.#chunks.get(each.chunk.id);
      if (read === undefined) throw new Error(`nobody has the chunk ${each.chunk.id}`);
      await deliver(each, read());
      this.fetched.push(each.chunk.id);
    }
  }

  #manifestFile(file: DepotFile): ManifestFile {
    const name = file.name.replaceAll('\\', '/');
    const bare = { name, bytes: 0, executable: false, chunks: [] };
    if (file.kind === 'directory') return { ...bare, kind: 'directory' };
    if (file.kind === 'symlink') return { ...bare, kind: 'link', linkTarget: file.target };
    const content = contentOf(file.content);
    const whole = createHash('sha1');
    const chunks = [];
    for (let offset = 0; offset < content.size; offset += chunkSize) {
      const bytes = Math.min(chunkSize, content.size - offset);
      const data = content.read(offset, bytes);
      const id = createHash('sha1').update(data).digest('hex');
      whole.update(data);
      this.#chunks.set(id, () => content.read(offset, bytes));
      chunks.push({ id, offset, bytes, storedBytes: bytes });
    }
    const sha1 = content.size === 0 ? {} : { sha1: whole.digest('hex') };
    const executable = file.executable === true;
    return { ...bare, kind: 'file', bytes: content.size, executable, chunks, ...sha1 };
  }
}
