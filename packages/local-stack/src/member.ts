import { styleText } from 'node:util';

/** One process of the stack. */
export interface Member {
  readonly name: MemberName;
  /** The file that Node runs. */
  readonly entry: string;
  readonly args?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** A member that answers 200 here once it is ready. */
export interface Service extends Member {
  readonly health: string;
}

const colours = {
  platform: 'blue',
  'platform-auth': 'magenta',
  'control-api': 'cyan',
} as const;

const width = Math.max(...Object.keys(colours).map((name) => name.length));

/** One stream for the output of all members, each line under the name of its process. */
export class MemberLog {
  /** Tells the members whether their lines are read on a terminal, which their own output cannot see. */
  readonly environment: Readonly<Record<string, string>>;
  readonly #out: NodeJS.WriteStream;

  constructor(out: NodeJS.WriteStream) {
    this.#out = out;
    this.environment = {
      LOG_FORMAT: process.env['LOG_FORMAT'] || (out.isTTY ? 'pretty' : 'json'),
      ...(out.isTTY && !process.env['NO_COLOR'] ? { FORCE_COLOR: '1' } : {}),
    };
  }

  write(name: keyof typeof colours, line: string): void {
    const prefix = styleText(colours[name], `${name.padEnd(width)} |`, { stream: this.#out });
    this.#out.write(`${prefix} ${line}\n`);
  }
}

export type MemberName = keyof typeof colours;
