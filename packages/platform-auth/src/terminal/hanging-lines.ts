import { wordWrap } from '@steward/service-kit/command-line/word-wrap';

/** What goes on in a second line stands deeper than where the first began. */
const deeper = '  ';

/** The line in lines that fit, each but the first set in, so that an indented list stays one. */
export function hangingLines(line: string, columns: number): string[] {
  const text = line.trimStart();
  const indent = line.slice(0, line.length - text.length);
  return wordWrap(text, columns - indent.length - deeper.length).map(
    (each, index) => `${indent}${index === 0 ? '' : deeper}${each}`,
  );
}
