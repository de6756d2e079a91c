import { type IPty, spawn } from '@lydell/node-pty';
import type { CommandsInTurn } from '@steward/service-kit/test/commands/commands-in-turn';
import { inherited, programFile, programOptions } from '@steward/testing/program';
import headless from '@xterm/headless';

// What has not come to the screen by then will not come; the failure shows what did.
const screenDeadlineMs = 60_000;

export interface TerminalOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly term?: string;
  /** Where one of these is what runs on the terminal, and not a process of its own. */
  readonly inTurn?: CommandsInTurn;
}

/** Keeps a terminal open, and touches nothing of it. */
const keeper = ['sleep', ['infinity']] as const;

/** One that the command in turn never ended with. */
const broken = -1;

export const keys = {
  enter: '\r',
  down: '\u001b[B',
  interrupt: '\u0003',
  end: '\u0004',
  suspend: '\u001a',
} as const;

/** How deep a line stands that goes on from the one above. */
const indent = 2;

/** A built program on a terminal of its own: keys are typed into it, and its screen is read as a person would. */
export class TerminalProgram implements AsyncDisposable {
  readonly terminal: InstanceType<typeof headless.Terminal>;
  readonly exited: Promise<number>;
  /** Everything that was sent to the screen, with what moves the cursor. */
  raw = '';
  #running = true;
  readonly #pty: IPty;
  readonly #inTurn: CommandsInTurn | undefined;
  readonly #waiting = new Set<() => void>();

  /** `entry` is a path below the checkout. */
  constructor(entry: string, args: readonly string[], env: NodeJS.ProcessEnv, options: TerminalOptions = {}) {
    const { columns: cols = 80, rows = 24, term = 'xterm-256color', inTurn } = options;
    this.terminal = new headless.Terminal({ cols, rows, allowProposedApi: true });
    const environment = { ...inherited(), ...env, TERM: term };
    const program = [process.execPath, [...programOptions(entry), programFile(entry), ...args]] as const;
    const [file, given] = inTurn === undefined ? program : keeper;
    this.#pty = spawn(file, [...given], { cols, rows, name: term, env: environment });
    this.#inTurn = inTurn;
    const codeInTurn = inTurn?.run(args, environment, terminalOf(this.#pty)).then(
      ({ code }) => code,
      () => broken,
    );
    void codeInTurn?.finally(() => this.#pty.kill('SIGKILL'));
    this.#pty.onData((data) => {
      this.raw += data;
      this.terminal.write(data, () => this.#wake());
    });
    this.exited = new Promise((resolve) => {
      this.#pty.onExit(({ exitCode }) => {
        // What was written last may still be on its way to the screen.
        this.terminal.write('', () => {
          this.#running = false;
          this.#wake();
          resolve(codeInTurn ?? exitCode);
        });
      });
    });
  }

  /** The whole screen, what has scrolled away included. */
  get screen(): string {
    const { active } = this.terminal.buffer;
    const lines = Array.from(
      { length: active.length },
      (_, row) => active.getLine(row)?.translateToString(true) ?? '',
    );
    return lines.join('\n').trimEnd();
  }

  /** What of it can be seen without scrolling back. */
  get window(): string {
    const { active } = this.terminal.buffer;
    const lines = Array.from(
      { length: this.terminal.rows },
      (_, row) => active.getLine(active.baseY + row)?.translateToString(true) ?? '',
    );
    return lines.join('\n').trimEnd();
  }

  /** Words that the terminal broke, as their line was too long; those that no indented line has room for, a path for one, it has to. */
  get brokenWords(): readonly string[] {
    const { active } = this.terminal.buffer;
    const textOf = (row: number) => active.getLine(row)?.translateToString(true) ?? '';
    return Array.from({ length: active.length }, (_, row) => row)
      .filter((row) => active.getLine(row)?.isWrapped)
      .map(
        (row) =>
          `${textOf(row - 1)
            .split(' ')
            .at(-1)}${textOf(row).split(' ')[0]}`,
      )
      .filter((word) => word.length <= this.terminal.cols - indent);
  }

  type(...typed: readonly string[]): void {
    this.#pty.write(typed.join(''));
  }

  /** Somebody drags the corner of the window. */
  resize(columns: number, rows: number): void {
    this.terminal.resize(columns, rows);
    this.#pty.resize(columns, rows);
  }

  kill(signal: NodeJS.Signals): void {
    this.#pty.kill(signal);
  }

  /** Resolves once the screen shows it; words may be broken over lines. */
  shows(pattern: RegExp): Promise<RegExpExecArray> {
    return this.#shown(() => this.screen, pattern);
  }

  /** The same, without what has scrolled away. */
  showsInWindow(pattern: RegExp): Promise<RegExpExecArray> {
    return this.#shown(() => this.window, pattern);
  }

  async #shown(part: () => string, pattern: RegExp): Promise<RegExpExecArray> {
    const deadline = AbortSignal.timeout(screenDeadlineMs);
    deadline.addEventListener('abort', () => this.#wake());
    for (;;) {
      const match = pattern.exec(part().replace(/\s*\n[│|]? */g, ' '));
      if (match !== null) return match;
      if (deadline.aborted || !this.#running) {
        const state = this.#running ? 'is running' : 'has ended';
        throw new Error(`the screen does not show ${pattern}; the program ${state}:\n${this.screen}`);
      }
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#running) {
      await this.#inTurn?.kill();
      this.#pty.kill('SIGKILL');
    }
    await this.exited;
  }

  #wake(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const resolve of waiting) resolve();
  }
}

/** Its path, which the types do not name. */
function terminalOf(pty: IPty & { readonly ptsName?: string }): string {
  if (pty.ptsName === undefined) throw new Error('this terminal has no path');
  return pty.ptsName;
}
