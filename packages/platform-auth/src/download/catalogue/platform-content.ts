import type { Clock } from '@steward/service-kit/clock';
import type { ContentDirectory } from '../../platform/platform-session.ts';
import type { ProxyFor } from '../../platform/proxy.ts';
import { CdnChunkSource } from '../cdn/cdn-chunk-source.ts';
import { ContentServers } from '../cdn/content-servers.ts';
import { DecodePool } from '../decode/decode-pool.ts';
import type { LanguageCode } from '../filter/languages.ts';
import type { ChunkSource } from '../manifest/chunk-source.ts';
import type { Catalogue } from '../manifest/manifest.ts';
import { PlatformCatalogue } from './platform-catalogue.ts';

export interface PlatformContentParts {
  readonly directory: ContentDirectory;
  readonly proxyFor: ProxyFor;
  readonly clock: Clock;
  readonly branch: string;
  /** The languages that are kept; some depots are for one alone. */
  readonly languages: readonly LanguageCode[];
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
  const pool = parts.pool ?? new DecodePool({ clock });
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
