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

/** The same for a line that may begin with spaces: what follows of it stands deeper by `deeper`. */
export function wrapIndented(line: string, columns: number, deeper = 4): string[] {
  const text = line.trimStart();
  const indent = ' '.repeat(line.length - text.length);
  const [first = '', ...rest] = wordWrap(text, columns - indent.length - deeper);
  const more = rest.map((each) => `${indent}${' '.repeat(deeper)}${each}`);
  return [`${indent}${first}`, ...more];
}
