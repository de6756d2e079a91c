import { styleText } from 'node:util';
import { CANCEL_SYMBOL, intro, log, outro, password, S_BAR_END, select, text } from '@clack/prompts';
import { Secret } from '@steward/service-kit/secret';
import { wordWrap } from '@steward/service-kit/text/layout';
import { type Screen, sizeOf } from '../run/screen.ts';
import { CodeScreen } from './code-screen.ts';
import { type Keyboard, swallowKeys, type TerminalParts } from './keyboard.ts';
import type { AskOptions, Choice, ShownCode, Terminal } from './terminal.ts';

/** What the prompts put before each line. */
const marginColumns = 3;

interface PromptParts {
  readonly input: Keyboard;
  readonly output: Screen;
  readonly signal: AbortSignal;
}

/** A terminal that can move its cursor. */
export class ClackTerminal implements Terminal {
  readonly #parts: TerminalParts;
  /** The frame that the greeting opens and the last word closes. */
  #isFramed = false;

  constructor(parts: TerminalParts) {
    this.#parts = parts;
    // The prompts would take a size of 0 at its word: each letter on a line of its own, and nothing of what is typed.
    Object.assign(parts.screen, sizeOf(parts.screen));
  }

  greet(title: string): void {
    this.#isFramed = true;
    intro(title, this.#output());
  }

  tell(message: string): void {
    log.info(this.#wrapped(message), this.#output());
  }

  warn(message: string): void {
    log.warn(this.#wrapped(message), this.#output());
  }

  finish(message: string): void {
    this.#isFramed = false;
    const margin = `\n${' '.repeat(marginColumns)}`;
    outro(this.#wrapped(message).replaceAll('\n', margin), this.#output());
  }

  leave(): void {
    if (!this.#isFramed) return;
    this.#isFramed = false;
    this.#parts.screen.write(`${styleText('gray', S_BAR_END)}\n`);
  }

  async choose<Value extends string>(message: string, choices: readonly Choice<Value>[]): Promise<Value> {
    const options = choices.map(({ value, label }) => ({ value: value as string, label }));
    const chosen = await this.#ask((common) => select({ message, options, ...common }));
    const choice = choices.find(({ value }) => value === chosen);
    if (choice === undefined) throw new Error('the prompt chose what was not there');
    return choice.value;
  }

  askText(message: string, { suggestion, until }: AskOptions = {}): Promise<string | undefined> {
    if (suggestion === undefined)
      return this.#ask((common) => text({ message, validate: somethingTyped, ...common }), until);
    // Never text in the field: whoever types it anew would have it twice.
    const suggested = { placeholder: `Enter for ${suggestion}`, defaultValue: suggestion };
    return this.#ask((common) => text({ message, ...suggested, ...common }), until);
  }

  async askSecret(message: string): Promise<Secret> {
    const typed = await this.#ask((common) => password({ message, validate: somethingTyped, ...common }));
    return new Secret(typed ?? '');
  }

  wait<T>(work: () => Promise<T>): Promise<T> {
    const { keyboard, patience } = this.#parts;
    return swallowKeys(keyboard, patience.interrupt, work);
  }

  showCode(): ShownCode {
    return new CodeScreen(this.#parts.screen, 'colours');
  }

  #ask(
    ask: (common: PromptParts) => Promise<string | typeof CANCEL_SYMBOL>,
    until?: AbortSignal,
  ): Promise<string | undefined> {
    const { keyboard, screen, patience } = this.#parts;
    return patience.ask(async (end) => {
      // The prompts know Ctrl-C, but neither Ctrl-D nor a terminal that went away.
      const gone = new AbortController();
      const leave = (): void => gone.abort();
      end.addEventListener('abort', leave);
      const onKey = (_text: string, key: { ctrl?: boolean; shift?: boolean; name?: string }): void => {
        if (key.ctrl && key.name === 'd') leave();
        // Node would stop the process, and the terminal show what is typed; with Shift it does nothing.
        if (key.ctrl && key.name === 'z') key.shift = true;
      };
      keyboard.on('keypress', onKey).on('end', leave);
      try {
        const answer = await ask({
          input: keyboard,
          output: screen,
          signal: gone.signal,
        });
        return answer === CANCEL_SYMBOL ? undefined : answer;
      } finally {
        keyboard.off('keypress', onKey).off('end', leave);
        end.removeEventListener('abort', leave);
      }
    }, until);
  }

  #wrapped(message: string): string {
    return wordWrap(message, sizeOf(this.#parts.screen).columns - marginColumns).join('\n');
  }

  #output(): { output: Screen } {
    return { output: this.#parts.screen };
  }
}

function somethingTyped(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === '' ? 'Nothing was typed' : undefined;
}
