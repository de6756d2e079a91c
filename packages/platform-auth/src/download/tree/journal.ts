import { dirname } from 'node:path';
import { JsonFormat } from '@steward/service-kit/files/json-format';
import { errorCode } from '@steward/shared/error-code';
import { z } from 'zod';
import { DownloadProblem } from '../problem.ts';
import { type DiskSteps, replaceWhole } from './disk-steps.ts';
import { newerFile, readKept } from './kept-file.ts';
import type { Places } from './places.ts';
import { lookAt, RealTree } from './real-tree.ts';

const journalVersion = 1;

const publishStep = z.discriminatedUnion('do', [
  z.object({ do: z.literal('remove'), name: z.string() }),
  z.object({ do: z.literal('remove-directory'), name: z.string() }),
  z.object({ do: z.literal('directory'), name: z.string() }),
  z.object({ do: z.literal('link'), name: z.string(), target: z.string() }),
  z.object({ do: z.literal('put'), name: z.string(), from: z.string() }),
]);

/** One change of the tree. Each may be done again after it has been done. */
export type PublishStep = z.infer<typeof publishStep>;

const journal = z.object({
  version: z.literal(journalVersion),
  steps: z.array(publishStep),
  /** The marker's text. */
  marker: z.string(),
});

export const journalFormat = new JsonFormat<Journal>(
  {
    name: 'An update of the game that is being put in place',
    place: 'GAME_DIR/.download/journal.json',
    current: journalVersion,
    migrations: [],
    whenNewer: 'It is not completed here; otherwise as for the marker',
  },
  journal,
);

export interface Journal {
  readonly steps: readonly PublishStep[];
  readonly marker: string;
}

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
        `${places.journal}, by which an interrupted update would be completed, cannot be read`,
        'Remove it and run `platform-auth download --verify`, which looks at every file',
      );
  }
}

/** Decides: from here on the tree becomes what the journal says, however often that is interrupted. */
export async function writeJournal(places: Places, steps: DiskSteps, content: Journal): Promise<void> {
  await replaceWhole(steps, places.journal, JSON.stringify({ version: journalVersion, ...content }));
  await steps.flush(places.work);
}

/** Carries out a journal from its beginning. All the while there is no marker, so that nobody takes the tree for whole. */
export async function rollForward(places: Places, steps: DiskSteps, content: Journal): Promise<void> {
  await steps.remove(places.marker);
  await steps.flush(places.root);
  const named = (what: PublishStep['do']): ReadonlySet<string> =>
    new Set(content.steps.filter((step) => step.do === what).map(({ name }) => name));
  const real = new RealTree(places, { names: named('remove'), directories: named('remove-directory') });
  const touched = new Set<string>();
  for (const step of content.steps) {
    await carryOut(step, places, steps, real);
    touched.add(dirname(places.inTree(step.name)));
  }
  for (const folder of touched) await flushIfThere(steps, folder);
  await ifThere(steps.rename(places.nextRecord, places.record));
  const aside = `${places.journal}.marker`;
  await steps.writeWhole(aside, content.marker);
  await steps.flush(aside);
  await steps.rename(aside, places.marker);
  await steps.flush(places.root);
  await steps.remove(places.journal);
}

async function carryOut(step: PublishStep, places: Places, steps: DiskSteps, real: RealTree): Promise<void> {
  const path = places.inTree(step.name);
  switch (step.do) {
    case 'remove': {
      const found = await lookAt(path);
      // A folder has come in its place, or in that of one above it, when this is done a second time.
      if (found !== undefined && !found.isDirectory()) await steps.remove(path);
      return;
    }
    case 'remove-directory':
      return steps.removeEmptyDirectory(path);
    case 'directory':
      return steps.makeDirectory(path);
    case 'link': {
      await real.checkPlace(step.name, 'link');
      const aside = places.staged('link');
      await steps.remove(aside);
      await steps.link(step.target, aside);
      return steps.rename(aside, path);
    }
    case 'put': {
      await real.checkPlace(step.name, 'file');
      const staged = places.staged(step.from);
      // What is not in the stage any more has been put in its place before.
      if ((await lookAt(staged)) === undefined) return;
      if ((await lookAt(dirname(path))) === undefined) await steps.makeDirectory(dirname(path));
      return steps.rename(staged, path);
    }
  }
}

async function flushIfThere(steps: DiskSteps, folder: string): Promise<void> {
  await ifThere(steps.flush(folder));
}

async function ifThere(action: Promise<void>): Promise<void> {
  try {
    await action;
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}
