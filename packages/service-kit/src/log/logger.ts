import pino from 'pino';
import type { Configuration, logVariables } from '../configuration/variable.ts';
import { forTerminal, inOneLine, shownOnTerminal } from '../text/terminal.ts';
import { sourceStack } from './source-stack.ts';

type Write = (facts: object, message: string) => void;

/** What is asked of a logger; pino’s fits. */
export interface Log {
  readonly debug: Write;
  readonly info: Write;
  readonly warn: Write;
  readonly error: Write;
}

/** Where log lines go: a process's output, or what a test puts in its place. */
export interface LogStream extends NodeJS.WritableStream {
  readonly isTTY?: boolean;
  readonly fd?: number;
}

export type Logger = pino.Logger;

export interface LogSettings extends Configuration<typeof logVariables> {
  /** Stands in each line, where there is one. */
  readonly INSTANCE_NAME?: string;
}

/** The one logger of a process; `stream` is where its lines go. */
export function createLogger(name: string, settings: LogSettings, stream: LogStream | BatchedLines): Logger {
  const options = {
    name,
    level: settings.LOG_LEVEL,
    timestamp: timeMember(),
    serializers: { err: describeError },
  };
  const logger = pino(options, linesTo(stream, settings.LOG_FORMAT));
  // Made part of each line once, and not each time that one is written.
  return settings.INSTANCE_NAME ? logger.child({ instance: settings.INSTANCE_NAME }) : logger;
}

/** What people wrote stands in lines, too, and somebody may read them on a terminal: none of it gives that an order. */
function linesTo(
  stream: LogStream | BatchedLines,
  format: LogSettings['LOG_FORMAT'],
): pino.DestinationStream {
  if (stream instanceof BatchedLines) return stream;
  if (looksPretty(format, stream)) return new PrettyLines(stream, styles(stream));
  return { write: (line) => stream.write(forTerminal(line)) };
}

/** The logger of a service that answers many requests: JSON lines go out in batches, lines for people at once. */
export function createServiceLogger(name: string, settings: LogSettings, stream: LogStream): Logger {
  if (looksPretty(settings.LOG_FORMAT, stream)) return createLogger(name, settings, stream);
  const lines = new BatchedLines(stream);
  process.once('exit', () => lines.flush());
  return createLogger(name, settings, lines);
}

/** The time in ISO 8601; its text is made once for each millisecond, as it would be half of what a line costs. */
function timeMember(): () => string {
  let at = 0;
  let text = '';
  return () => {
    const now = Date.now();
    if (now !== at) {
      at = now;
      text = `,"time":"${new Date(now).toISOString()}"`;
    }
    return text;
  };
}

function describeError(error: Error): unknown {
  const described = pino.stdSerializers.err(error);
  return error instanceof Error ? { ...described, stack: sourceStack(described.stack) } : described;
}

/**
 * Writes lines of level info as the logger would, past all that it looks up and decides for each: that is a tenth of what a poll
 * costs. `members` is what stands behind what each line has, as JSON that may be shown on a terminal. Undefined where lines are for people,
 * or not written at all.
 */
export function readyLines(logger: Logger): ((members: string) => void) | undefined {
  const { streamSym, chindingsSym, timeSym } = pino.symbols;
  const parts = logger as unknown as Readonly<Record<symbol, unknown>>;
  const stream = parts[streamSym];
  if (!(stream instanceof BatchedLines) || !logger.isLevelEnabled('info')) return undefined;
  const beginning = `{"level":${logger.levels.values['info']}`;
  const ofEach = forTerminal(String(parts[chindingsSym]));
  const time = parts[timeSym] as () => string;
  return (members) => stream.writeLater(`${beginning}${time()}${ofEach},${members}}\n`);
}

function looksPretty(format: 'auto' | 'json' | 'pretty', stream: LogStream): boolean {
  return format === 'pretty' || (format === 'auto' && stream.isTTY === true);
}

/** A process whose output another one shows on a terminal is told by FORCE_COLOR; see no-color.org for the other. */
function styles(stream: LogStream): boolean {
  if (process.env['NO_COLOR']) return false;
  return stream.isTTY === true || Boolean(process.env['FORCE_COLOR']);
}

/** The longest that a line waits for others to be written with. */
const waitMs = 50;

/** Enough lines for one write to the system; beyond, waiting gains nothing. */
const fullLength = 16_384;

const errorLevel = 50;

// By this mark pino sets lastLevel before it writes a line.
const pinoMetadata: unique symbol = Symbol.for('pino.metadata');

/**
 * Where a log goes that is written in batches: one write to the system for many lines. An error is written at once,
 * with everything before it; so is what is left when the process exits. pino's own destination takes a multiple of the processor
 * time, lets an error wait like any line, and keeps to itself that nobody reads any more.
 */
export class BatchedLines {
  readonly [pinoMetadata] = true;
  lastLevel = 0;
  readonly #stream: Pick<LogStream, 'write'>;
  #held = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(stream: Pick<LogStream, 'write'>) {
    this.#stream = stream;
  }

  /** A line that needs no haste, from whoever made it without pino, and fit for a terminal. */
  writeLater(line: string): void {
    this.#held += line;
    if (this.#held.length >= fullLength) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), waitMs).unref();
  }

  write(line: string): void {
    this.writeLater(forTerminal(line));
    if (this.lastLevel >= errorLevel) this.flush();
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const held = this.#held;
    this.#held = '';
    if (held !== '') this.#stream.write(held);
  }
}

/**
 * Lines for people. What makes them is loaded when the first logger asks for it, since most processes write for
 * machines; until then lines wait. If the process exits before, they leave as the JSON that they are.
 */
class PrettyLines {
  readonly #stream: Pick<LogStream, 'write'>;
  #waiting = '';
  #pretty: NodeJS.WritableStream | undefined;

  constructor(stream: LogStream, colorize: boolean) {
    this.#stream = stream;
    const leaveAsTheyAre = () => this.#stream.write(this.#waiting);
    process.once('exit', leaveAsTheyAre);
    void import('pino-pretty').then(({ default: pretty }) => {
      process.off('exit', leaveAsTheyAre);
      this.#pretty = pretty({
        destination: stream,
        colorize,
        ignore: 'pid,hostname,name',
        translateTime: 'SYS:HH:MM:ss',
        singleLine: true,
        // Players' names stand in it, and one with a line break would make a line of the log.
        messageFormat: (log, key) => inOneLine(String(log[key] ?? '')),
      });
      if (this.#waiting !== '') this.#pretty.write(this.#waiting);
    });
  }

  write(line: string): void {
    const shown = shownOnTerminal(line);
    if (this.#pretty === undefined) this.#waiting += shown;
    else this.#pretty.write(shown);
  }
}
