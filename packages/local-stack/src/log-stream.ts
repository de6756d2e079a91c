import { styleText } from 'node:util';

const colours = ['cyan', 'magenta', 'green', 'yellow', 'blue'] as const;

/** One stream for the output of all members, each line under the name of its process. */
export class LogStream {
  /** Tells the members whether their lines are read on a terminal, which their own output cannot see. */
  readonly environment: Readonly<Record<string, string>>;
  readonly #out: NodeJS.WriteStream;
  readonly #width: number;
  readonly #names: readonly string[];

  constructor(out: NodeJS.WriteStream, names: readonly string[]) {
    this.#out = out;
    this.#names = names;
    this.#width = Math.max(...names.map((name) => name.length));
    this.environment = {
      LOG_FORMAT: process.env['LOG_FORMAT'] || (out.isTTY ? 'pretty' : 'json'),
      ...(out.isTTY && !process.env['NO_COLOR'] ? { FORCE_COLOR: '1' } : {}),
    };
  }

  write(name: string, line: string): void {
    const colour = colours[this.#names.indexOf(name) % colours.length] ?? 'white';
    const prefix = styleText(colour, `${name.padEnd(this.#width)} |`, { stream: this.#out });
    this.#out.write(`${prefix} ${line}\n`);
  }
}
