import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Changes } from './changes.ts';

// A line that has not come by then will not come; the failure shows what came instead.
const lineDeadlineMs = 100_000;

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The cache only makes a program start sooner, and what a killed one leaves goes with the other files of the run. */
const passedOn = ['PATH', 'TMPDIR', 'NODE_COMPILE_CACHE'];

/** No other variable of the tester's shell decides a test. */
export function inherited(): NodeJS.ProcessEnv {
  // To a terminal's process what is not there would be the word "undefined".
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => passedOn.includes(name)));
}

interface ProgramOptions {
  readonly input?: string;
  /** In place of those that the image has. */
  readonly nodeOptions?: readonly string[];
  readonly cwd?: string;
  /** As whom a mode counts for, also where root runs the tests. */
  readonly isMortal?: boolean;
}

const withoutRights = ['--bounding-set=-all', '--inh-caps=-all', '--'];

/** What starts a program for whom a mode counts, whoever runs the tests. */
export function asMortal(program: string, args: readonly string[]): [string, readonly string[]] {
  return process.getuid?.() === 0 ? ['setpriv', [...withoutRights, program, ...args]] : [program, args];
}

const checkout = fileURLToPath(new URL('../../../', import.meta.url));

/** What the whole run of the tests has bundled, by the path of its source; alone, a file of tests runs the sources. */
const shippedDirectory = process.env['STEWARD_SHIPPED'];
const shipped: Readonly<Record<string, { readonly file: string; readonly nodeOptions: readonly string[] }>> =
  shippedDirectory === undefined
    ? {}
    : JSON.parse(readFileSync(join(shippedDirectory, 'programs.json'), 'utf8'));

/** The file to start: `entry` is a path below the checkout, such as `packages/control-api/src/main.ts`, or one from the root. */
export function programFile(entry: string): string {
  return resolve(checkout, shipped[entry]?.file ?? entry);
}

/** What Node is told for it, where it is what an image ships; but for what a service has to do without, too. */
export function programOptions(entry: string): readonly string[] {
  return shipped[entry]?.nodeOptions.filter((option) => option !== '--disable-sigusr1') ?? [];
}

/** The scripted game, for who starts it as a process of its own. */
export const scriptedGame = programFile('packages/testing/src/game/main.ts');

/** A program running as its user would run it, with its output as lines that can be awaited. */
export class Program implements AsyncDisposable {
  readonly stdout: string[] = [];
  readonly stderr: string[] = [];
  readonly exited: Promise<Exit>;
  readonly #child: ChildProcess;
  readonly #changes = new Changes();
  readonly #listeners: ((line: string) => void)[] = [];

  /** `entry` as `programFile` takes it. */
  constructor(
    entry: string,
    args: readonly string[] = [],
    env: NodeJS.ProcessEnv = {},
    { input, nodeOptions = programOptions(entry), cwd, isMortal = false }: ProgramOptions = {},
  ) {
    const own = [...nodeOptions, programFile(entry), ...args];
    const [program, given] = isMortal ? asMortal(process.execPath, own) : [process.execPath, own];
    this.#child = spawn(program, given, {
      cwd,
      env: { ...inherited(), ...env },
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    this.#child.stdin?.end(input);
    this.#collect(this.#child.stdout, this.stdout);
    this.#collect(this.#child.stderr, this.stderr);
    this.exited = new Promise((resolve, reject) => {
      this.#child.once('error', reject);
      this.#child.once('close', (code, signal) => {
        resolve({ code, signal });
        this.#changes.told();
      });
    });
  }

  get pid(): number {
    if (this.#child.pid === undefined) throw new Error('the program did not start');
    return this.#child.pid;
  }

  get running(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Nobody reads what it writes there any more, as when `| head` has seen enough. */
  stopReading(stream: 'stdout' | 'stderr'): void {
    this.#child[stream]?.destroy();
  }

  /** The match of `pattern` in a line of either stream, past or future: the first, or the one of that number. */
  async line(
    pattern: RegExp,
    { number = 1, withinMs = lineDeadlineMs }: { number?: number; withinMs?: number } = {},
  ): Promise<RegExpExecArray> {
    const look = () => {
      const matches = [...this.stdout, ...this.stderr].map((line) => pattern.exec(line));
      const match = matches.filter((each) => each !== null)[number - 1];
      if (match === undefined && !this.running) throw new Error(this.#missing(pattern));
      return match;
    };
    return this.#changes.until(look, { withinMs, missing: () => this.#missing(pattern) });
  }

  /** Told of each line to come, of either stream. */
  onLine(listener: (line: string) => void): void {
    this.#listeners.push(listener);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.exited;
  }

  #collect(stream: NodeJS.ReadableStream | null, lines: string[]): void {
    if (stream === null) return;
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line);
      this.#changes.told();
      for (const listener of this.#listeners) listener(line);
    });
  }

  #missing(pattern: RegExp): string {
    const output = [...this.stdout, ...this.stderr].join('\n');
    return `no line matches ${pattern}; the program ${this.running ? 'is running' : 'has ended'}:\n${output}`;
  }
}
