import { JsonFormat } from '@steward/service-kit/files/json-format';
import { z } from 'zod';
import { type DiskSteps, replaceWhole } from '../disk/disk-steps.ts';
import type { Places } from '../names/places.ts';
import { DownloadProblem } from '../problems/problem.ts';
import { newerFile, ofThisVersion, readKept } from './kept-file.ts';
import { linkTarget, publishedFolder, publishedName, stagedKey } from './published-names.ts';

const journalVersion = 1;

const publishStep = z.discriminatedUnion('do', [
  z.object({ do: z.literal('remove'), name: publishedName }),
  z.object({ do: z.literal('remove-directory'), name: publishedFolder }),
  z.object({ do: z.literal('directory'), name: publishedFolder }),
  z.object({ do: z.literal('link'), name: publishedName, target: linkTarget }),
  z.object({ do: z.literal('put'), name: publishedName, from: stagedKey }),
]);

/** One change of the tree. Each may be done again after it has been done. */
export type PublishStep = z.infer<typeof publishStep>;

const journal = z.object({
  version: z.literal(journalVersion),
  steps: z.array(publishStep),
  /** The marker's text. */
  marker: z.string(),
});

export const journalFormat = new JsonFormat<Journal>(journalVersion, journal);

export interface Journal {
  readonly steps: readonly PublishStep[];
  readonly marker: string;
}

/** Throws for one that no download wrote: nothing of it is carried out, harmless as the rest may be. */
export async function readJournal(places: Places): Promise<Journal | undefined> {
  const read = await readKept(journalFormat, places.journal);
  switch (read.kind) {
    case 'absent':
      return undefined;
    case 'content':
      return read.content;
    case 'newer':
      throw newerFile(places.journal, read);
    case 'corrupt':
      throw new DownloadProblem(
        'disk',
        `${places.journal}, which is needed to complete an interrupted update, cannot be read or is not genuine`,
        'Remove it and run `platform-auth download --verify`, which checks every file',
      );
  }
}

/** A build that lies in the stage until somebody has it published; nothing of it is decided. One that cannot be read is none. */
export async function readStagedBuild(places: Places): Promise<Journal | undefined> {
  return ofThisVersion(journalFormat, places.stagedBuild);
}

export async function writeStagedBuild(places: Places, steps: DiskSteps, content: Journal): Promise<void> {
  await replaceWhole(steps, places.stagedBuild, JSON.stringify({ version: journalVersion, ...content }));
  await steps.flushNames(places.work);
}

/** As `writeJournal`, for what lies in the stage. */
export async function decideStagedBuild(places: Places, steps: DiskSteps): Promise<void> {
  await steps.rename(places.stagedBuild, places.journal);
  await steps.flushNames(places.work);
}

/** Decides: from here on the tree becomes what the journal says, however often that is interrupted. */
export async function writeJournal(places: Places, steps: DiskSteps, content: Journal): Promise<void> {
  await replaceWhole(steps, places.journal, JSON.stringify({ version: journalVersion, ...content }));
  await steps.flushNames(places.work);
}
