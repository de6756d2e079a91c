/** The text in lines that fit; a word longer than a line stays whole, so that it can be copied. */
export function wordWrap(text: string, columns: number): string[] {
  return text.split('\n').flatMap((paragraph) => {
    const lines = [''];
    for (const word of paragraph.split(' ')) {
      const line = lines.at(-1) ?? '';
      const longer = line === '' ? word : `${line} ${word}`;
      if (longer.length <= columns || line === '') lines[lines.length - 1] = longer;
      else lines.push(word);
    }
    return lines;
  });
}
