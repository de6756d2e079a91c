import type { Logger } from './logger.ts';

/** What panels wait for before they show a server as running: they look for exactly this, so it never changes. */
export const readyLine = 'Steward is ready';

/** Says so once, as a line of this log: whoever reads it as JSON still can. It is written whatever LOG_LEVEL leaves out. */
export function tellReady(logger: Logger): void {
  logger.child({}, { level: 'info' }).info(readyLine);
}
