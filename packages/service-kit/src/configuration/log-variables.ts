import { choice } from './kinds.ts';

/** The rows that every service has. */
export const logVariables = {
  LOG_LEVEL: choice({
    fallback: 'info',
    values: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    meaning: 'The least important log line that is written',
  }),
  LOG_FORMAT: choice({
    fallback: 'auto',
    values: ['auto', 'json', 'pretty'],
    meaning: 'How log lines look; auto is pretty on a terminal and JSON elsewhere',
  }),
};
