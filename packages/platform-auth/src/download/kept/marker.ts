import { JsonFormat } from '@steward/service-kit/files/json-format';
import { readRegular } from '@steward/service-kit/files/read-regular';
import { readJson, stringifyExact } from '@steward/service-kit/json';
import { gameAppId } from '@steward/shared/sidecar/download';
import { timestamp, uint64Text } from '@steward/shared/wire-values';
import { z } from 'zod';
import type { Places } from '../names/places.ts';
import { ofThisVersion } from './kept-file.ts';

const markerVersion = 1;

const publishedApp = z.object({
  appId: z.int(),
  /** Ids have 64 bits, so they are decimal texts. */
  depots: z.array(z.object({ depotId: z.int(), manifestId: uint64Text })),
});

export type PublishedApp = z.infer<typeof publishedApp>;

const marker = z.object({
  version: z.literal(markerVersion),
  apps: z.array(publishedApp),
  languages: z.array(z.string()),
  keepFiles: z.array(z.string()),
  filterVersion: z.int(),
  totalFiles: z.int(),
  totalBytes: z.int(),
  downloadedAt: timestamp,
});

/** What GAME_DIR holds. The file is there only while the tree is whole: the game waits for it. */
export type Marker = z.infer<typeof marker>;

export const markerFormat = new JsonFormat<Marker>(markerVersion, marker);

export function makeMarker(content: Omit<Marker, 'version'>): Marker {
  return { version: markerVersion, ...content };
}

export function printMarker(content: Marker): string {
  return `${stringifyExact({ ...content, ...asExisting(content) }, 2)}\n`;
}

/** What the existing server's own downloader says beside the totals: one depot, its manifest's id as a bare number. */
function asExisting({ apps }: Marker): object {
  const [depot] = apps.find(({ appId }) => appId === gameAppId)?.depots ?? [];
  if (depot === undefined) return {};
  const { depotId, manifestId } = depot;
  return { appId: gameAppId, depotId, manifestId: BigInt(manifestId), targetOs: 'linux' };
}

/** What a journal says that the tree is then. */
export function markerOf(text: string): Marker | undefined {
  const read = markerFormat.read(text);
  return read.kind === 'content' ? read.content : undefined;
}

/** Undefined while the tree is not whole, and for a marker that another program or a newer version wrote. */
export async function readMarker(places: Places): Promise<Marker | undefined> {
  return ofThisVersion(markerFormat, places.marker);
}

/** Written under the same name once all files are there; it has no version, which every one of ours has. */
const existingMarker = z.object({
  version: z.never().optional(),
  appId: z.literal(gameAppId),
  depotId: z.int(),
});

/** Whether the existing server's own downloader has brought a whole game. */
export async function isExistingServers(places: Places): Promise<boolean> {
  const text = await readRegular(places.marker).catch(() => undefined);
  return text !== undefined && existingMarker.safeParse(readJson(text.toString())).success;
}

/** Whether there is a whole game, whoever has brought it. */
export async function isWhole(places: Places): Promise<boolean> {
  return (await readMarker(places)) !== undefined || isExistingServers(places);
}

/** Whether two markers say the same tree; when it was downloaded does not count. */
export function sameTree(one: Marker, other: Marker): boolean {
  const said = ({ downloadedAt: _, ...rest }: Marker) => JSON.stringify(rest);
  return said(one) === said(other);
}
