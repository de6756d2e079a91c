import type { HttpAnswer } from '../faults/answer-http.ts';
import type { CdnHostPlan } from './cdn-host-plan.ts';
import { type ContentPath, parseContentPath } from './content-path.ts';
import type { ServedDepot } from './served-depot.ts';

/** What a content server asks of the rest of the platform. */
export interface ContentSource {
  /** Every depot version that is served now; asked anew for each request, so a test can publish an update. */
  depots(): readonly ServedDepot[];
  acceptsRequestCode(depotId: number, manifestId: string, code: string): boolean;
  /** `query` is what the client sent after the path, such as `?token=…`; empty when it sent nothing. */
  acceptsToken(host: CdnHostPlan, depotId: number, query: string): boolean;
}

const unauthorized: HttpAnswer = { status: 401 };
const forbidden: HttpAnswer = { status: 403 };
const notFound: HttpAnswer = { status: 404 };

/** A content server's answer to a GET, before any fault has its way with it. */
export function answerContent(url: string, host: CdnHostPlan, source: ContentSource): HttpAnswer {
  const { pathname, search } = new URL(url, 'http://content');
  const path = parseContentPath(pathname);
  if (path === undefined) return notFound;
  if (host.demandsToken === true && !source.acceptsToken(host, path.depotId, search)) return forbidden;
  if (host.refusedDepotIds?.includes(path.depotId) === true) return forbidden;
  const known = source.depots().filter(({ depot }) => depot.depotId === path.depotId);
  const { allowedAppIds } = host;
  const here = known.filter(({ appId }) => allowedAppIds === undefined || allowedAppIds.includes(appId));
  if (known.length > 0 && here.length === 0) return forbidden;
  return path.kind === 'manifest' ? answerManifest(path, here, source) : answerChunk(path.chunkId, here);
}

function answerManifest(
  path: Extract<ContentPath, { kind: 'manifest' }>,
  here: readonly ServedDepot[],
  source: ContentSource,
): HttpAnswer {
  // The code is checked first, so that without one nobody learns which manifests exist.
  if (!source.acceptsRequestCode(path.depotId, path.manifestId, path.requestCode)) return unauthorized;
  const found = here.find(({ depot }) => depot.manifestId === path.manifestId);
  if (found === undefined) return notFound;
  return content('application/x-steam-manifest', found.depot.rawManifest);
}

function answerChunk(chunkId: string, here: readonly ServedDepot[]): HttpAnswer {
  for (const { depot } of here) {
    const served = depot.chunk(chunkId);
    if (served !== undefined) return content('application/x-steam-chunk', served);
  }
  return notFound;
}

function content(type: string, body: Buffer): HttpAnswer {
  return { status: 200, headers: { 'content-type': type }, body };
}
