import type { Logger } from '@steward/service-kit/log/logger';
import { counted, inBytes, inTime } from '@steward/service-kit/text/amounts';
import { troubleText } from '@steward/shared/problems/trouble';
import type { GameUpdate } from '@steward/shared/sidecar/download';
import { progressText, stageNames } from '../progress/progress-text.ts';
import type { GameFilesListener } from './game-files.ts';
import type { NewerBuildParts } from './newer-build.ts';
import type { WhyMissing } from './why-missing.ts';

/** What the operator reads of whether there is something to download. */
export function gameUpdateLog(logger: Logger): (update: GameUpdate) => void {
  return ({ state, reason = '', remedy = '' }) => {
    if (state === 'available') logger.warn(`Game files: ${reason}. ${remedy}`);
    else if (state === 'unknown')
      logger.info(`Game files: it is unknown whether there is another build: ${reason}`);
    else logger.info('Game files: the platform has no other build');
  };
}

/** What is counted of it. */
export interface GameFilesCounters {
  readonly downloadFetched: (bytes: number) => void;
  readonly downloadFailed: () => void;
}

/** What the operator reads of a newer build that is looked for beside the game that runs. */
export function newerBuildLog(logger: Logger, counters: GameFilesCounters): NewerBuildParts['listener'] {
  const { stage, planned, progress, fetched, warning } = gameFilesLog(logger, counters);
  return {
    stage,
    planned,
    progress,
    fetched: (chunk) => fetched?.(chunk),
    warning,
    incomplete(why, left) {
      counters.downloadFailed();
      logger.warn(`Game files: ${said(logger, why)}. ${left}`);
    },
    staged: (isNew) =>
      logger.info(
        isNew
          ? 'Game files: a newer build is ready. POST /download/publish installs it'
          : 'Game files: the platform has no other build',
      ),
    published: () => logger.info('Game files: the newer build is installed'),
  };
}

function said(logger: Logger, why: WhyMissing): string {
  if (why.unforeseen !== undefined) logger.error({ err: why.unforeseen }, why.reason);
  return troubleText(why);
}

/** What the operator reads of a download in the background. */
export function gameFilesLog(logger: Logger, counters: GameFilesCounters): GameFilesListener {
  const problem = (why: WhyMissing) => said(logger, why);
  return {
    stage: (stage) => logger.info({ stage }, `Game files: ${stageNames[stage]}`),
    planned: ({ toFetch, stripped, there }) =>
      logger.info(
        `Game files: ${inBytes(toFetch.bytes)} to fetch, ${inBytes(there.bytes)} there, ${inBytes(stripped.bytes)} left out`,
      ),
    progress: (snapshot) => logger.info(`Game files: ${progressText(snapshot)}`),
    fetched: ({ bytes }) => counters.downloadFetched(bytes),
    warning: (text) => logger.warn(text),
    failed(why, retryInMs) {
      counters.downloadFailed();
      logger.warn(`Game files: ${problem(why)}. Trying again in ${inTime(retryInMs)}`);
    },
    incomplete: (why) => logger.warn(`Game files: ${problem(why)}`),
    done: ({ figures }, { elapsedMs }) =>
      logger.info(
        `Game files: complete, ${counted(figures.kept.files, 'file')} of ${inBytes(figures.kept.bytes)}, after ${inTime(elapsedMs)}`,
      ),
  };
}
