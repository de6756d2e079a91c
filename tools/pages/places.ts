/** What stands in the marked places of a page, by their names. */
export type Places = Readonly<Record<string, string>>;

const place = /(<!-- generated: (.+?) -->)(\n?)[\s\S]*?(<!-- end -->)/g;

/**
 * A page that people write, with what the code knows in its marked places: between `<!-- generated: the name -->` and `<!-- end -->`,
 * on lines of their own or, for a word or two, within one.
 */
export function filled(page: string, places: Places): string {
  const missing = new Set(Object.keys(places));
  const text = page.replace(place, (_all, begin: string, name: string, newline: string, end: string) => {
    missing.delete(name);
    const content = places[name];
    if (content === undefined) throw new Error(`nobody knows what stands in the place "${name}"`);
    return `${begin}${newline}${content}${newline}${end}`;
  });
  if (missing.size > 0) throw new Error(`the page has lost its place "${[...missing].join('", "')}"`);
  return text;
}

/** A Markdown table. */
export function table(
  head: readonly string[],
  rows: readonly (readonly (string | number | undefined)[])[],
): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

export function asCode(word: string): string {
  return `\`${word}\``;
}
