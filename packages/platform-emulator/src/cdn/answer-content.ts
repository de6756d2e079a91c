import type { HttpAnswer } from '../faults/answer-http.ts';
import { type CdnHostPlan, demandsToken } from './cdn-host-plan.ts';
import { type ContentPath, parseContentPath } from './content-path.ts';
import type { ServedDepot } from './served-depot.ts';

/** What a content server asks of the rest of the platform. */
export interface ContentSource {
  /** Every depot version that is served now; asked anew for each request, so a test can publish an update. */
  depots(): readonly ServedDepot[];
  acceptsRequestCode(depotId: number, manifestId: string, code: string): boolean;
  /** `host` as the client named it; `query` is what it sent after the question mark, empty when nothing. */
  acceptsToken(depotId: number, host: string, query: string): boolean;
}

const unauthorized: HttpAnswer = { status: 401 };
const forbidden: HttpAnswer = { status: 403 };
const notFound: HttpAnswer = { status: 404 };

/** A content server's answer to a GET, before any fault has its way with it. */
export function answerContent(
  request: { host: string; path: string },
  plan: CdnHostPlan,
  source: ContentSource,
): HttpAnswer {
  const mark = request.path.indexOf('?');
  const pathEnd = mark < 0 ? request.path.length : mark;
  const query = request.path.slice(pathEnd + 1);
  const path = parseContentPath(request.path.slice(0, pathEnd));
  if (path === undefined) return notFound;
  if (demandsToken(plan) && !source.acceptsToken(path.depotId, request.host, query)) return forbidden;
  if (plan.refusedDepotIds?.includes(path.depotId) === true) return forbidden;
  const known = source.depots().filter(({ depot }) => depot.depotId === path.depotId);
  const { allowedAppIds } = plan;
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
