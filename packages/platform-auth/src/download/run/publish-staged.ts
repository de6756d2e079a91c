import { inDiskWords } from '../disk/disk-problem.ts';
import { type DiskSteps, diskSteps } from '../disk/disk-steps.ts';
import { lookAt } from '../disk/real-tree.ts';
import { recordFormat } from '../kept/installed.ts';
import { decideStagedBuild, type Journal, readStagedBuild } from '../kept/journal.ts';
import { ofThisVersion } from '../kept/kept-file.ts';
import { readMarker } from '../kept/marker.ts';
import type { Places } from '../names/places.ts';
import { isUntouched } from '../plan/file-check.ts';
import { DownloadProblem } from '../problems/problem.ts';
import { layMarker, rollForward } from '../publish/roll-forward.ts';
import { holdDirectory } from './interrupted.ts';

export interface PublishStagedParts {
  readonly command: string;
  readonly now: () => Date;
  /** Calls it off; once it is decided, it is carried out all the same. */
  readonly signal: AbortSignal;
  readonly steps?: DiskSteps;
}

/** There was nothing to publish. */
export class NothingStaged extends Error {}

/**
 * Brings the build that lies in the stage into the tree. What an interrupted publication has left to do is completed first, and is
 * then what was asked for. Needs no platform.
 */
export async function publishStaged(
  places: Places,
  { command, now, signal, steps = diskSteps }: PublishStagedParts,
): Promise<void> {
  await inDiskWords(async () => {
    let hasCompleted = false;
    const recovering = (): void => {
      hasCompleted = true;
    };
    await using _held = await holdDirectory(places, { command, now, steps, recovering });
    const build = await readStagedBuild(places);
    if (build === undefined) {
      if (hasCompleted) return;
      throw new NothingStaged();
    }
    // It was staged beside a game that was whole: what is missing of that by now, it does not bring.
    if (!hasCompleted && (await readMarker(places)) === undefined) {
      await steps.remove(places.stagedBuild);
      throw new NothingStaged();
    }
    await checkStage(places, build, steps);
    await layMarker(places, steps, build.marker);
    signal.throwIfAborted();
    await decideStagedBuild(places, steps);
    await rollForward(places, steps, build);
  });
}

/** It may have lain there for days: what is not in the stage any more would be taken for put in its place already. */
async function checkStage(places: Places, { steps: all }: Journal, steps: DiskSteps): Promise<void> {
  const record = await ofThisVersion(recordFormat, places.nextRecord);
  for (const step of all) {
    if (step.do !== 'put') continue;
    const found = await lookAt(places.staged(step.from));
    const meant = record?.files[step.name];
    if (found?.isFile() === true && meant !== undefined && isUntouched(found, meant)) continue;
    await steps.remove(places.stagedBuild);
    throw new DownloadProblem(
      'disk',
      'The staged files have changed: something else has written to GAME_DIR/.download',
      'Stage it again: intact files are not downloaded again',
    );
  }
}
