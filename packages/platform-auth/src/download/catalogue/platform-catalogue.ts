import type { Clock } from '@steward/service-kit/clock';
import type { ContentDirectory } from '../../platform/platform-session.ts';
import type { OpenDepot } from '../cdn/cdn-chunk-source.ts';
import type { ContentServers } from '../cdn/content-servers.ts';
import { DecodeError } from '../decode/decode-error.ts';
import type { LanguageCode } from '../filter/languages.ts';
import type { Catalogue, DepotManifest } from '../manifest/manifest.ts';
import { readManifest } from '../manifest/read-manifest.ts';
import { ContentError } from '../problems/content-error.ts';
import { type ChosenDepot, chooseDepots } from './depot-choice.ts';
import { readAppContent } from './product-info.ts';
import { RequestCode } from './request-codes.ts';

/** A manifest is packed tighter than this even for a game of many times the size. */
const mostManifestBytes = 32 * 1024 * 1024;

export interface CatalogueParts {
  readonly directory: ContentDirectory;
  readonly servers: ContentServers;
  readonly clock: Clock;
  readonly branch: string;
  /** The languages that are kept; some depots are for one alone. */
  readonly languages: readonly LanguageCode[];
}

/** What an account has on the platform: from the licence to the manifests. */
export class PlatformCatalogue implements Catalogue {
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

  async #manifest(appId: number, { depotId, manifestId }: ChosenDepot, signal: AbortSignal) {
    const { servers, directory, clock, branch } = this.#parts;
    const { key } = await this.#open(appId, depotId);
    const code = new RequestCode(directory, clock, { appId, depotId, manifestId, branch });
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
          throw new DecodeError('is no manifest');
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
