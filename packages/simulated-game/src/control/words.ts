import { parseArgs } from 'node:util';
import { UnclearOrder } from './order.ts';

type Options = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>['options']>;

/** Splits an order's words into options and the rest; an unknown option is an error that names it. */
export function readWords<const Known extends Options>(words: readonly string[], options: Known) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UnclearOrder(error instanceof Error ? error.message : String(error));
  }
}

export function oneName(positionals: readonly string[], usage: string): string {
  const [name, ...more] = positionals;
  if (name === undefined || more.length > 0) throw new UnclearOrder(`usage: npm run farm -- ${usage}`);
  return name;
}

/** Seconds from the first word, or the fallback; in milliseconds. */
export function seconds(word: string | undefined, fallback: number): number {
  if (word === undefined) return fallback * 1000;
  if (/^[0-9]{1,6}$/.test(word) && Number(word) > 0) return Number(word) * 1000;
  throw new UnclearOrder(`"${word}" is no number of seconds`);
}
