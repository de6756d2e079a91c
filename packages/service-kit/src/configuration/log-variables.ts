import { choice } from '@steward/shared/kinds';
import { variable } from './variable.ts';

/** The rows that every service has. */
export const logVariables = {
  LOG_LEVEL: variable(choice(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']), {
    fallback: 'info',
    means: 'The least important log line that is written',
  }),
  LOG_FORMAT: variable(choice(['auto', 'json', 'pretty']), {
    fallback: 'auto',
    means: 'How log lines look; auto is pretty on a terminal and JSON elsewhere',
  }),
};
