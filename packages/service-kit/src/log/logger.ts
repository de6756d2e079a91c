import pino from 'pino';
import pretty from 'pino-pretty';
import type { logVariables } from '../configuration/log-variables.ts';
import type { Configuration } from '../configuration/variable.ts';

export type Logger = pino.Logger;

export interface LogStream extends NodeJS.WritableStream {
  readonly isTTY?: boolean;
  readonly fd?: number;
}

/** The one logger of a process; `stream` is where its lines go. */
export function createLogger(
  name: string,
  settings: Configuration<typeof logVariables>,
  stream: LogStream,
): Logger {
  const options = { name, level: settings.LOG_LEVEL, timestamp: pino.stdTimeFunctions.isoTime };
  return pino(options, looksPretty(settings.LOG_FORMAT, stream) ? prettyStream(stream) : stream);
}

function looksPretty(format: 'auto' | 'json' | 'pretty', stream: LogStream): boolean {
  return format === 'pretty' || (format === 'auto' && stream.isTTY === true);
}

function prettyStream(stream: LogStream): NodeJS.WritableStream {
  return pretty({
    destination: stream,
    colorize: styles(stream),
    ignore: 'pid,hostname,name',
    translateTime: 'SYS:HH:MM:ss',
    singleLine: true,
  });
}

/** A process whose output another one shows on a terminal is told by FORCE_COLOR; see no-color.org for the other. */
function styles(stream: LogStream): boolean {
  if (process.env['NO_COLOR']) return false;
  return stream.isTTY === true || Boolean(process.env['FORCE_COLOR']);
}
