/** A space outside of backticks: after it they come in pairs. */
const betweenWords = / (?=(?:[^`]*`[^`]*`)*[^`]*$)/;

/**
 * The text in lines that fit. A command in backticks stays on one line, if it can; a word longer than a line stays whole in any case, so
 * that it can be copied.
 */
export function wordWrap(text: string, columns: number): string[] {
  return text.split('\n').flatMap((paragraph) => {
    const lines = [''];
    const words = paragraph
      .split(betweenWords)
      .flatMap((word) => (word.length <= columns ? [word] : word.split(' ')));
    for (const word of words) {
      const line = lines.at(-1) ?? '';
      const longer = line === '' ? word : `${line} ${word}`;
      if (longer.length <= columns || line === '') lines[lines.length - 1] = longer;
      else lines.push(word);
    }
    return lines;
  });
}

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
