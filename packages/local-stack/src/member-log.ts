import { styleText } from 'node:util';
import { z } from 'zod';
import type { MemberName } from './member.ts';

type Speaker = MemberName | 'farm' | 'steward';

const colours = {
  platform: 'blue',
  'platform-auth': 'magenta',
  'control-api': 'cyan',
  farm: 'green',
  steward: 'white',
} as const satisfies Record<Speaker, string>;

const width = Math.max(...Object.keys(colours).map((name) => name.length));

/** This command's own questions carry it, so that the log shows only what others ask. */
export const ownRequestId = 'npm-start';

/** What the control API alone asks of the sidecar. How it ends is told in words of their own. */
const betweenServices = /^[A-Z]+ \/platform\//;

const logLine = z.object({
  level: z.number(),
  time: z.coerce.date(),
  msg: z.string(),
  requestId: z.string().optional(),
  status: z.unknown().optional(),
  /** Which output of the game it came from. */
  stream: z.string().optional(),
  err: z.object({ stack: z.string() }).optional(),
});

type LogLine = z.infer<typeof logLine>;

/** The frame that the simulated farm puts around a line that needs no attention. */
const ordinaryFarmLine = /^\[\d\d:\d\d:\d\d\] INFO: (.*?)(?: \{.*\})?$/;

const warnLevel = 40;
const errorLevel = 50;

/** One stream for the output of all members, each line under the name of its process; for people, unless LOG_FORMAT is json. */
export class MemberLog {
  readonly #out: NodeJS.WriteStream;
  readonly #isForPeople: boolean;

  constructor(out: NodeJS.WriteStream, isForPeople: boolean) {
    this.#out = out;
    this.#isForPeople = isForPeople;
  }

  write(name: Speaker, line: string): void {
    const entry = entryOf(line);
    if (entry?.requestId === ownRequestId) return;
    if (this.#isForPeople && entry?.requestId !== undefined && betweenServices.test(entry.msg)) return;
    if (!this.#isForPeople) this.#put(name, line);
    else if (entry === undefined) this.#put(name, line, new Date());
    else this.#put(entry.stream === undefined ? name : 'farm', this.#textOf(entry), entry.time);
  }

  #put(name: Speaker, text: string, at?: Date): void {
    const time = at === undefined ? '' : `${this.#style('dim', at.toTimeString().slice(0, 8))} `;
    this.#out.write(`${time}${this.#style(colours[name], `${name.padEnd(width)} |`)} ${text}\n`);
  }

  /** A request's line has its status behind it; an error has its stack below. */
  #textOf({ level, msg, requestId, status, err }: LogLine): string {
    const said = msg.replace(ordinaryFarmLine, '$1');
    const text = requestId === undefined || typeof status !== 'number' ? said : `${said} ${status}`;
    const whole = err === undefined ? text : `${text}\n${err.stack}`;
    if (level >= errorLevel) return this.#style('red', `ERROR ${whole}`);
    return level >= warnLevel ? this.#style('yellow', `WARN ${whole}`) : whole;
  }

  #style(style: Parameters<typeof styleText>[0], text: string): string {
    return styleText(style, text, { stream: this.#out });
  }
}

/** Undefined for what is no line of a log: an error of the configuration, or what Node itself has to say. */
function entryOf(line: string): LogLine | undefined {
  try {
    return logLine.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}
