import pino from 'pino';
import type { logVariables } from '../configuration/log-variables.ts';
import type { Configuration } from '../configuration/variable.ts';
import { BatchedLines } from './batched-lines.ts';
import type { LogStream } from './log-stream.ts';
import { PrettyLines } from './pretty-lines.ts';
import { sourceStack } from './source-stack.ts';

export type Logger = pino.Logger;

const batches = new WeakMap<Logger, BatchedLines>();

/** Where the lines of this logger go if they are written in batches. */
export function batchOf(logger: Logger): BatchedLines | undefined {
  return batches.get(logger);
}

/** The one logger of a process; `stream` is where its lines go. */
export function createLogger(
  name: string,
  settings: Configuration<typeof logVariables>,
  stream: LogStream | BatchedLines,
): Logger {
  const options = {
    name,
    level: settings.LOG_LEVEL,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
  };
  if (stream instanceof BatchedLines) {
    const logger = pino(options, stream);
    batches.set(logger, stream);
    return logger;
  }
  if (!looksPretty(settings.LOG_FORMAT, stream)) return pino(options, stream);
  return pino(options, new PrettyLines(stream, styles(stream)));
}

/** The logger of a service that answers many requests: JSON lines go out in batches, lines for people at once. */
export function createServiceLogger(
  name: string,
  settings: Configuration<typeof logVariables>,
  stream: LogStream,
): Logger {
  if (looksPretty(settings.LOG_FORMAT, stream)) return createLogger(name, settings, stream);
  const lines = new BatchedLines(stream);
  process.once('exit', () => lines.flush());
  return createLogger(name, settings, lines);
}

function describeError(error: Error): unknown {
  const described = pino.stdSerializers.err(error);
  return error instanceof Error ? { ...described, stack: sourceStack(described.stack) } : described;
}

function looksPretty(format: 'auto' | 'json' | 'pretty', stream: LogStream): boolean {
  return format === 'pretty' || (format === 'auto' && stream.isTTY === true);
}

/** A process whose output another one shows on a terminal is told by FORCE_COLOR; see no-color.org for the other. */
function styles(stream: LogStream): boolean {
  if (process.env['NO_COLOR']) return false;
  return stream.isTTY === true || Boolean(process.env['FORCE_COLOR']);
}
