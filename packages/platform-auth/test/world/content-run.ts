import type { PlatformOptions } from '@steward/platform-emulator/platform-options';
import { type Clock, systemClock } from '@steward/service-kit/clock';
import { Secret } from '@steward/service-kit/secret';
import { patientDirectory } from '../../src/download/catalogue/patient-directory.ts';
import { openPlatformContent, type PlatformContent } from '../../src/download/catalogue/platform-content.ts';
import type { DecodePool } from '../../src/download/decode/decode-pool.ts';
import type { LanguageCode } from '../../src/download/filter/languages.ts';
import type { DepotManifest, WantedChunk } from '../../src/download/manifest/manifest.ts';
import type { PlatformSession } from '../../src/platform/platform-session.ts';
import type { ProxyFor } from '../../src/platform/proxy.ts';
import { SteamPlatform } from '../../src/platform/steam-platform.ts';
import { Emulated } from './emulated.ts';
import { through } from './through.ts';

export interface ContentRunOptions extends Partial<PlatformOptions> {
  readonly account?: string;
  readonly branch?: string;
  readonly languages?: readonly LanguageCode[];
  readonly proxyFor?: ProxyFor;
  readonly clock?: Clock;
  readonly pool?: DecodePool;
}

/** The network half of a download, over the real library, against an emulated platform. */
export class ContentRun implements AsyncDisposable {
  readonly world: Emulated;
  readonly content: PlatformContent;
  readonly stop = new AbortController();
  session: PlatformSession | undefined;

  private constructor(world: Emulated, options: ContentRunOptions) {
    this.world = world;
    const { clock = systemClock } = options;
    this.content = openPlatformContent({
      directory: patientDirectory(() => this.session, clock, this.stop.signal),
      proxyFor: options.proxyFor ?? (() => undefined),
      clock,
      branch: options.branch ?? 'public',
      languages: options.languages ?? [],
      ...(options.pool && { pool: options.pool }),
    });
  }

  static async start(options: ContentRunOptions = {}): Promise<ContentRun> {
    const { account = 'ann', ...platformOptions } = options;
    const run = new ContentRun(await Emulated.start(platformOptions), options);
    await run.logOn(account);
    return run;
  }

  async logOn(account = 'ann'): Promise<void> {
    const { platform } = this.world;
    const steam = new SteamPlatform({
      proxy: through(platform.proxyUrl),
      logonId: 1,
      clock: systemClock,
    });
    this.session = await steam.logOn(new Secret(platform.refreshToken(account)));
  }

  manifests(appId: number): Promise<readonly DepotManifest[]> {
    return this.content.catalogue.manifestsOf(appId, this.stop.signal);
  }

  /** Everything that the manifests list, by chunk: how often it was delivered. */
  async fetchAll(manifests: readonly DepotManifest[]): Promise<Map<string, number>> {
    const delivered = new Map<string, number>();
    await this.content.chunks.fetchAll(
      wantedOf(manifests),
      async ({ chunk }, data) => {
        if (data.length !== chunk.bytes) throw new Error('delivered a chunk of another length');
        delivered.set(chunk.id, (delivered.get(chunk.id) ?? 0) + 1);
      },
      this.stop.signal,
    );
    return delivered;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stop.abort();
    await this.content[Symbol.asyncDispose]();
    await this.session?.close();
    await this.world[Symbol.asyncDispose]();
  }
}

/** Each chunk once, however many files share it. */
export function wantedOf(manifests: readonly DepotManifest[]): WantedChunk[] {
  const wanted = new Map<string, WantedChunk>();
  for (const { depotId, files } of manifests)
    for (const { chunks } of files)
      for (const chunk of chunks) wanted.set(`${depotId}/${chunk.id}`, { depotId, chunk });
  return [...wanted.values()];
}
