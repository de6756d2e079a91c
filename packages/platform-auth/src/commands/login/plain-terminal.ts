import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { Secret } from '@steward/service-kit/secret';
import { wordWrap } from '@steward/service-kit/text/layout';
import { sizeOf } from '../run/screen.ts';
import { CodeScreen } from './code-screen.ts';
import { swallowKeys, type TerminalParts } from './keyboard.ts';
import type { AskOptions, Choice, ShownCode, Terminal } from './terminal.ts';

/** A terminal that can only write line after line: TERM=dumb, an editor's window, a screen reader. */
export class PlainTerminal implements Terminal {
  readonly #parts: TerminalParts;

  constructor(parts: TerminalParts) {
    this.#parts = parts;
  }

  greet(title: string): void {
    this.tell(title);
  }

  tell(message: string): void {
    const { screen } = this.#parts;
    screen.write(`${wordWrap(message, sizeOf(screen).columns).join('\n')}\n`);
  }

  warn(message: string): void {
    this.tell(message);
  }

  finish(message: string): void {
    this.tell(message);
  }

  leave(): void {}

  async choose<Value extends string>(question: string, choices: readonly Choice<Value>[]): Promise<Value> {
    this.tell(question);
    for (const [index, { label }] of choices.entries()) this.tell(`  ${index + 1}  ${label}`);
    for (;;) {
      const typed = await this.askText(`1 to ${choices.length}`);
      const choice = choices[Number(typed) - 1];
      if (choice !== undefined) return choice.value;
      this.tell('That is not one of the choices.');
    }
  }

  askText(question: string, { suggestion = '', until }: AskOptions = {}): Promise<string | undefined> {
    const suggested = suggestion === '' ? '' : ` (${suggestion})`;
    return this.#ask(
      { question: `${question}${suggested}: `, otherwise: suggestion, isSecret: false },
      until,
    );
  }

  async askSecret(question: string): Promise<Secret> {
    const typed = await this.#ask({ question: `${question} (not shown): `, otherwise: '', isSecret: true });
    return new Secret(typed ?? '');
  }

  wait<T>(work: () => Promise<T>): Promise<T> {
    const { keyboard, patience } = this.#parts;
    return swallowKeys(keyboard, patience.interrupt, work);
  }

  showCode(): ShownCode {
    return new CodeScreen(this.#parts.screen, 'characters');
  }

  #ask(what: Question, until?: AbortSignal): Promise<string | undefined> {
    const { keyboard, screen, patience } = this.#parts;
    return patience.ask(async (end) => {
      // The terminal itself echoes and edits a line, since Node would move the cursor; but not one that nobody may see,
      // and so from before the question is shown.
      const output = what.isSecret ? nowhere() : screen;
      const lines = createInterface({ input: keyboard, output, terminal: what.isSecret });
      // Node would stop the process, and the terminal show what is typed.
      lines.on('SIGTSTP', () => {});
      const gone = new Promise<undefined>((resolve) => {
        lines.once('SIGINT', () => resolve(undefined)).once('close', () => resolve(undefined));
        end.addEventListener('abort', () => resolve(undefined), { once: true });
      });
      try {
        for (;;) {
          if (what.isSecret) screen.write(what.question);
          const typed = await Promise.race([lines.question(what.question, { signal: end }), gone]);
          // Whatever comes next stands on a line of its own.
          if (typed === undefined || what.isSecret) screen.write('\n');
          if (typed === undefined) return undefined;
          const answer = typed.trim() === '' ? what.otherwise : typed;
          if (answer !== '') return answer;
        }
      } finally {
        lines.close();
      }
    }, until);
  }
}

interface Question {
  readonly question: string;
  readonly otherwise: string;
  readonly isSecret: boolean;
}

function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}
