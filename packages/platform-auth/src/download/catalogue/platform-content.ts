import type { Clock } from '@steward/service-kit/clock';
import type { ContentDirectory, ManifestKey } from '../../platform/platform-session.ts';
import type { ProxyFor } from '../../platform/proxy.ts';
import { CdnChunkSource, type OpenDepot } from '../cdn/cdn-chunk-source.ts';
import { ContentServers } from '../cdn/content-servers.ts';
import { DecodeError } from '../decode/decode-error.ts';
import { DecodePool } from '../decode/decode-pool.ts';
import type { LanguageCode } from '../filter/languages.ts';
import type { Catalogue, ChunkSource, DepotManifest } from '../manifest/manifest.ts';
import { readManifest } from '../manifest/read-manifest.ts';
import { ContentError } from '../problems/problem.ts';
import { type ChosenDepot, chooseDepots } from './depot-choice.ts';
import { readAppContent } from './product-info.ts';

export interface PlatformContentParts {
  readonly directory: ContentDirectory;
  readonly proxyFor: ProxyFor;
  readonly clock: Clock;
  readonly branch: string;
  /** The languages that are kept; some depots are for one alone. */
  readonly languages: readonly LanguageCode[];
  /** Hears what the operator has to know of the decoders that a run has for its own. */
  readonly warn?: (text: string) => void;
  /** Decoders that are another's to close; without them a run has its own. */
  readonly pool?: DecodePool;
}

/** All that one run of a download has of the platform. */
export interface PlatformContent extends AsyncDisposable {
  readonly catalogue: Catalogue;
  readonly chunks: ChunkSource;
}

export function openPlatformContent(parts: PlatformContentParts): PlatformContent {
  const { directory, proxyFor, clock, branch, languages } = parts;
  const servers = new ContentServers({ directory, proxyFor, clock });
  const pool = parts.pool ?? new DecodePool({ clock, warn: parts.warn });
  const catalogue = new PlatformCatalogue({ directory, servers, clock, branch, languages });
  const chunks = new CdnChunkSource({ servers, pool, depot: (depotId) => catalogue.depot(depotId) });
  return {
    catalogue,
    chunks,
    async [Symbol.asyncDispose]() {
      servers.close();
      if (parts.pool === undefined) await pool.close();
    },
  };
}

/** A manifest is packed tighter than this even for a game of many times the size. */
const mostManifestBytes = 32 * 1024 * 1024;

interface CatalogueParts extends Pick<PlatformContentParts, 'directory' | 'clock' | 'branch' | 'languages'> {
  readonly servers: ContentServers;
}

/** What an account has on the platform: from the licence to the manifests. */
class PlatformCatalogue implements Catalogue {
  readonly #parts: CatalogueParts;
  /** Asked for once in a run: the platform counts how often keys are wanted. */
  readonly #depots = new Map<number, OpenDepot>();

  constructor(parts: CatalogueParts) {
    this.#parts = parts;
  }

  async manifestsOf(appId: number, signal: AbortSignal): Promise<readonly DepotManifest[]> {
    const { directory, branch, languages } = this.#parts;
    if (!(await directory.ownsApp(appId)))
      throw new ContentError('not-owned', `The platform account does not own app ${appId}`);
    const content = readAppContent(appId, await directory.productInfo(appId));
    const manifests: DepotManifest[] = [];
    for (const depot of chooseDepots(appId, content, { branch, languages })) {
      signal.throwIfAborted();
      manifests.push(await this.#manifest(appId, depot, signal));
    }
    return manifests;
  }

  /** What opens a depot whose manifest was asked for. */
  depot(depotId: number): OpenDepot {
    const depot = this.#depots.get(depotId);
    if (depot === undefined) throw new Error(`depot ${depotId} was not opened`);
    return depot;
  }

  async #manifest(appId: number, depot: ChosenDepot, signal: AbortSignal) {
    const { servers, directory, clock } = this.#parts;
    const { depotId, manifestId } = depot;
    const { key } = await this.#open(appId, depotId);
    const code = new RequestCode(directory, clock, { appId, ...depot });
    let malformed: ContentError | undefined;
    const wish = {
      appId,
      depotId,
      what: `manifest ${manifestId}`,
      bytes: { atMost: mostManifestBytes },
      path: async () => `/depot/${depotId}/manifest/${manifestId}/5/${await code.get()}`,
      unauthorized: () => code.refused(),
      accept: (archive: Uint8Array<ArrayBuffer>) =>
        readManifest(Buffer.from(archive.buffer), { appId, depotId, manifestId }, key).catch((error) => {
          // It may be one server's copy that is broken.
          if (error instanceof ContentError) malformed = error;
          throw new DecodeError('is not a manifest');
        }),
    };
    try {
      return await servers.fetch(wish, signal);
    } catch (error) {
      signal.throwIfAborted();
      throw malformed ?? error;
    }
  }

  async #open(appId: number, depotId: number): Promise<OpenDepot> {
    const known = this.#depots.get(depotId);
    if (known !== undefined) return known;
    const key = await this.#parts.directory.depotKey(appId, depotId);
    if (key === undefined)
      throw new ContentError(
        'not-owned',
        `The platform account may not have depot ${depotId} of app ${appId}`,
      );
    const depot = { appId, key };
    this.#depots.set(depotId, depot);
    return depot;
  }
}

/** The platform makes new codes this often; an older one may be refused any moment. */
const lifetimeMs = 5 * 60_000;

/** The code of one manifest: asked for when it is needed, and anew when it is old or was refused. */
class RequestCode {
  readonly #directory: ContentDirectory;
  readonly #clock: Clock;
  readonly #manifest: ManifestKey;
  #current: { readonly code: string; readonly askedAt: number } | undefined;

  constructor(directory: ContentDirectory, clock: Clock, manifest: ManifestKey) {
    this.#directory = directory;
    this.#clock = clock;
    this.#manifest = manifest;
  }

  async get(): Promise<string> {
    const askedAt = this.#clock.now();
    if (this.#current !== undefined && askedAt - this.#current.askedAt < lifetimeMs)
      return this.#current.code;
    const code = await this.#directory.requestCode(this.#manifest);
    const { manifestId, depotId, branch } = this.#manifest;
    if (code === undefined)
      throw new ContentError(
        'unavailable',
        `The platform gives no access to manifest ${manifestId} of depot ${depotId} on the branch ${branch}`,
        'Try again in a few minutes; if this happens again, check PLATFORM_BRANCH',
      );
    this.#current = { code, askedAt };
    return code;
  }

  refused(): void {
    this.#current = undefined;
  }
}
