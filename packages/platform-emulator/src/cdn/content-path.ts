export type ContentPath =
  | { kind: 'manifest'; depotId: number; manifestId: string; requestCode: string }
  | { kind: 'chunk'; depotId: number; chunkId: string };

const manifest = /^\/depot\/(\d{1,10})\/manifest\/(\d{1,20})\/5(?:\/(\d{1,20}))?$/;
const chunk = /^\/depot\/(\d{1,10})\/chunk\/([0-9a-f]{40})$/;

/** The two kinds of URL that a content server knows (docs/platform-emulator.md, wire: content). */
export function parseContentPath(pathname: string): ContentPath | undefined {
  const [, depotOfManifest, manifestId, requestCode] = manifest.exec(pathname) ?? [];
  if (depotOfManifest !== undefined && manifestId !== undefined) {
    return { kind: 'manifest', depotId: Number(depotOfManifest), manifestId, requestCode: requestCode ?? '' };
  }
  const [, depotOfChunk, chunkId] = chunk.exec(pathname) ?? [];
  if (depotOfChunk !== undefined && chunkId !== undefined) {
    return { kind: 'chunk', depotId: Number(depotOfChunk), chunkId };
  }
  return undefined;
}
