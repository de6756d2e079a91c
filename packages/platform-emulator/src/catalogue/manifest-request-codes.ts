import { createHmac } from 'node:crypto';
import { type ServiceMethod, serviceMethod } from '../services/service-method.ts';
import { eresult } from '../wire/eresult.ts';
import { messageType } from '../wire/protobufs.ts';
import type { Catalogue } from './catalogue.ts';

/** Codes rotate this often, and everyone who asks in one window gets the same. */
const windowMs = 5 * 60_000;

/** The codes without which no content server gives a manifest away. */
export class ManifestRequestCodes {
  readonly #secret: Buffer;
  readonly #now: () => number;

  constructor(secret: Buffer, now: () => number) {
    this.#secret = secret;
    this.#now = now;
  }

  current(depotId: number, manifestId: string): string {
    return this.#code(depotId, manifestId, this.#window());
  }

  /** A code of the window before is still taken: it may have been asked for in its last second. */
  isValid(depotId: number, manifestId: string, code: string): boolean {
    const window = this.#window();
    return [window, window - 1].some((each) => this.#code(depotId, manifestId, each) === code);
  }

  #window(): number {
    return Math.floor(this.#now() / windowMs);
  }

  #code(depotId: number, manifestId: string, window: number): string {
    const digest = createHmac('sha256', this.#secret).update(`${depotId}/${manifestId}/${window}`).digest();
    return String((digest.readBigUInt64LE() >> 1n) | 1n);
  }
}

/** CContentServerDirectory_GetManifestRequestCode_*, in steammessages_contentsystem.steamclient.proto. */
export function manifestRequestCodeMethod(catalogue: Catalogue, codes: ManifestRequestCodes): ServiceMethod {
  return serviceMethod(
    'ContentServerDirectory.GetManifestRequestCode',
    messageType<{ app_id: number; depot_id: number; manifest_id: string; app_branch: string }>(
      'CContentServerDirectory_GetManifestRequestCode_Request',
    ),
    messageType<{ manifest_request_code: string }>('CContentServerDirectory_GetManifestRequestCode_Response'),
    ({ app_id, depot_id = 0, manifest_id = '0' }, { account }) => {
      if (account === undefined || catalogue.depotFor(account, app_id, depot_id) === undefined) {
        return { eresult: eresult.accessDenied };
      }
      // Code 0 is how the platform says that this manifest is not to be had.
      const known = catalogue.hasManifest(app_id, depot_id, manifest_id);
      return { body: { manifest_request_code: known ? codes.current(depot_id, manifest_id) : '0' } };
    },
  );
}
