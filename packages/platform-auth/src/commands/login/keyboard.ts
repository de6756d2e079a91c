import type { Readable } from 'node:stream';

/** The input side of a terminal. */
export interface Keyboard extends Readable {
  setRawMode(raw: boolean): unknown;
}

/** What Ctrl-C and Ctrl-D send where the terminal does not take them for signals. */
const interrupting = ['\u0003', '\u0004'];

/** While nothing is asked: keys are swallowed, so that they do not end up between the lines on the screen. */
export async function swallowKeys<T>(
  keyboard: Keyboard,
  interrupt: () => void,
  work: () => Promise<T>,
): Promise<T> {
  const onKeys = (keys: Buffer | string): void => {
    if (interrupting.some((key) => String(keys).includes(key))) interrupt();
  };
  keyboard.setRawMode(true);
  keyboard.on('data', onKeys).on('end', interrupt).resume();
  try {
    return await work();
  } finally {
    keyboard.off('data', onKeys).off('end', interrupt).pause();
    keyboard.setRawMode(false);
  }
}
