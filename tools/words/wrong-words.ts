import { phrases } from './phrases.ts';
import { textLines } from './texts.ts';

/** What is to be written otherwise in a file, a line each. */
export function wrongWords(path: string, content: string): readonly string[] {
  return textLines(path, content).flatMap(({ number, text }) =>
    phrases.flatMap(({ avoid, write }) => {
      const [found] = avoid.exec(text) ?? [];
      return found === undefined ? [] : [`${path}:${number}: “${found}”: write ${write}`];
    }),
  );
}
