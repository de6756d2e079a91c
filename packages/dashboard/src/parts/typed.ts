import type { Signal } from '@preact/signals';
import { inputWords as says } from '../words.ts';

/** What can be chosen of, or how it is typed in. */
export type Kind =
  | { readonly is: 'choice'; readonly of: readonly string[] }
  | { readonly is: 'number'; readonly min: number; readonly max: number }
  | { readonly is: 'flag' | 'text' | 'ids' };

/** What is wrong with a number that was typed; undefined where nothing is. */
export function wrongNumber({ min, max }: { min: number; max: number }, text: string): string | undefined {
  const isOne = /^-?\d+$/.test(text) && Number(text) >= min && Number(text) <= max;
  return isOne ? undefined : says.wrongNumber(min, max);
}

/** What was typed, as the server is to be told of it. */
export function sentAs({ is }: Kind, text: string): string | number | boolean {
  if (is === 'flag') return text === 'true';
  return is === 'number' ? Number(text) : text.trim();
}

/** Empties a part of a form whose content was sent. What was typed meanwhile stays. */
export function emptying<Value>(part: Signal<Value>, empty: NoInfer<Value>): () => void {
  const sent = part.peek();
  return () => {
    if (part.peek() === sent) part.value = empty;
  };
}
