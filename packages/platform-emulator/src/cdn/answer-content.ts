import type { Depot } from '../depot/depot.ts';
import type { HttpAnswer } from '../faults/answer-http.ts';
import { type CdnHostPlan, demandsToken } from './cdn-host-plan.ts';

/** A depot version together with the app it belongs to; several versions of one depot may be served at once. */
export interface ServedDepot {
  readonly appId: number;
  readonly depot: Depot;
}

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

type ContentPath =
  | { kind: 'manifest'; depotId: number; manifestId: string; requestCode: string }
  | { kind: 'chunk'; depotId: number; chunkId: string };

const manifestPath = /^\/depot\/(\d{1,10})\/manifest\/(\d{1,20})\/5(?:\/(\d{1,20}))?$/;
const chunkPath = /^\/depot\/(\d{1,10})\/chunk\/([0-9a-f]{40})$/;

/** The two kinds of URL that a content server knows (docs/platform-emulator.md, wire: content). */
function parseContentPath(pathname: string): ContentPath | undefined {
  const [, depotOfManifest, manifestId, requestCode] = manifestPath.exec(pathname) ?? [];
  if (depotOfManifest !== undefined && manifestId !== undefined) {
    return { kind: 'manifest', depotId: Number(depotOfManifest), manifestId, requestCode: requestCode ?? '' };
  }
  const [, depotOfChunk, chunkId] = chunkPath.exec(pathname) ?? [];
  if (depotOfChunk !== undefined && chunkId !== undefined) {
    return { kind: 'chunk', depotId: Number(depotOfChunk), chunkId };
  }
  return undefined;
}
