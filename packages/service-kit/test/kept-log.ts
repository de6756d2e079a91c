import { Writable } from 'node:stream';
import { createLogger } from '../src/log/logger.ts';

/** A logger, and what it has written, line by line. */
export function keptLog() {
  const log: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      log.push(String(chunk));
      done();
    },
  });
  return { log, logger: createLogger('test', { LOG_LEVEL: 'info', LOG_FORMAT: 'json' }, stream) };
}
