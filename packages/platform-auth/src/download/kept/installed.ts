import { JsonFormat } from '@steward/service-kit/files/json-format';
import { z } from 'zod';
import type { Places } from '../names/places.ts';
import { ofThisVersion } from './kept-file.ts';
import { publishedFolder, publishedName } from './published-names.ts';

const recordVersion = 1;

/** A file that the tree holds in another form than the manifest has it. */
const changedFile = z.object({
  how: z.enum(['content-hashes-pruned', 'executable-stack-cleared']),
  bytes: z.int(),
  sha1: z.string(),
});

export type ChangedFile = z.infer<typeof changedFile>;

const installedFile = z.object({
  contentKey: z.string(),
  executable: z.boolean(),
  /** Of the manifest's file: sha1 and offset of each. */
  chunks: z.array(z.tuple([z.string(), z.int()])),
  /** As published: a file that still has these has not been touched. */
  size: z.int(),
  modifiedMs: z.number(),
  changed: changedFile.optional(),
});

export type InstalledFile = z.infer<typeof installedFile>;

const installedRecord = z.object({
  version: z.literal(recordVersion),
  files: z.record(publishedName, installedFile),
  links: z.record(publishedName, z.string()),
  /** Those that a download made. */
  directories: z.array(publishedFolder),
});

/** What of the tree is ours, and how it was when it was published. */
export type InstalledRecord = z.infer<typeof installedRecord>;

export const recordFormat = new JsonFormat<InstalledRecord>(recordVersion, installedRecord);

export const nothingInstalled: InstalledRecord = {
  version: recordVersion,
  files: {},
  links: {},
  directories: [],
};

export function printInstalled(record: InstalledRecord): string {
  return JSON.stringify(record);
}

/** A record that is missing or not to be understood is as good as none: the files are then judged by what is in them. */
export async function readInstalled(places: Places): Promise<InstalledRecord> {
  return (await ofThisVersion(recordFormat, places.record)) ?? nothingInstalled;
}
