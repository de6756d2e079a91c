import type { Clock } from '@steward/service-kit/clock';
import type { ContentDirectory, ManifestKey } from '../../platform/platform-session.ts';
import { ContentError } from '../problems/content-error.ts';

/** The platform makes new codes this often; an older one may be refused any moment. */
const lifetimeMs = 5 * 60_000;

/** The code of one manifest: asked for when it is needed, and anew when it is old or was refused. */
export class RequestCode {
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
        'Try again in a few minutes; if it stays, check PLATFORM_BRANCH',
      );
    this.#current = { code, askedAt };
    return code;
  }

  refused(): void {
    this.#current = undefined;
  }
}
