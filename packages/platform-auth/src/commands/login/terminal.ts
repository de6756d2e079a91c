import type { Secret } from '@steward/service-kit/secret';
import { severalTries, type TryingParts } from '../run/several-tries.ts';

export interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: string;
}

/** A code to scan, on the screen until something else is. */
export interface ShownCode {
  /** Shows another code, or another line about it, in the place of the one before where the terminal can do that. */
  show(code: { readonly address: string; readonly note: string }): void;
  /** From here on the screen is somebody else's. */
  done(): void;
}

/** A terminal with somebody at it. A question ends with an answer, or throws: interrupted, or not answered for too long. */
export interface Terminal {
  greet(title: string): void;
  tell(text: string): void;
  warn(text: string): void;
  /** The last thing that is said. */
  finish(text: string): void;
  /** Leaves without a last word; whatever else is said stands below. */
  leave(): void;
  choose<Value extends string>(question: string, choices: readonly Choice<Value>[]): Promise<Value>;
  /** Undefined when `until` came before the answer. */
  askText(question: string, options?: AskOptions): Promise<string | undefined>;
  /** What is typed is not shown. */
  askSecret(question: string): Promise<Secret>;
  /** Keys do nothing during this work, but for those that interrupt. */
  wait<T>(work: () => Promise<T>): Promise<T>;
  showCode(): ShownCode;
}

export interface AskOptions {
  readonly suggestion?: string;
  readonly until?: AbortSignal;
}

/** Several tries, of which somebody at a terminal is told there. */
export function severalTriesBefore<T>(
  terminal: Pick<Terminal, 'wait' | 'tell'>,
  work: () => Promise<T>,
  parts: TryingParts,
): Promise<T> {
  return terminal.wait(() => severalTries(work, { ...parts, say: (text) => terminal.tell(text) }));
}
