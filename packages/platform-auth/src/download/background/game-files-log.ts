import type { Logger } from '@steward/service-kit/log/logger';
import type { Metrics } from '../../metrics.ts';
import { counted, inBytes, inTime } from '../progress/amounts.ts';
import { progressText, stageNames } from '../progress/progress-line.ts';
import type { GameFilesListener } from './game-files-parts.ts';

/** What the operator reads of a download in the background. */
export function gameFilesLog(
  logger: Logger,
  metrics: Pick<Metrics, 'downloadFetched' | 'downloadFailed'>,
): GameFilesListener {
  return {
    stage: (stage) => logger.info({ stage }, `Game files: ${stageNames[stage]}`),
    planned: ({ toFetch, stripped, there }) =>
      logger.info(
        `Game files: ${inBytes(toFetch.bytes)} to fetch, ${inBytes(there.bytes)} there, ${inBytes(stripped.bytes)} left out`,
      ),
    progress: (snapshot) => logger.info(`Game files: ${progressText(snapshot)}`),
    fetched: ({ bytes }) => metrics.downloadFetched(bytes),
    warning: (text) => logger.warn(text),
    failed({ reason, remedy, unforeseen }, retryInMs) {
      metrics.downloadFailed();
      if (unforeseen !== undefined) logger.error({ err: unforeseen }, reason);
      const text = remedy === undefined ? reason : `${reason}. ${remedy}`;
      logger.warn(`Game files: ${text}. Trying again in ${inTime(retryInMs)}`);
    },
    done: ({ figures }, { elapsedMs }) =>
      logger.info(
        `Game files: whole, ${counted(figures.kept.files, 'file')} of ${inBytes(figures.kept.bytes)}, after ${inTime(elapsedMs)}`,
      ),
  };
}
