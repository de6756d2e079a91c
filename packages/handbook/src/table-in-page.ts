import { readFileSync } from 'node:fs';

const root = new URL('../../../', import.meta.url);

/** A page that is written by hand, but for one table in the middle of it, which comes from the code. */
export function withTable(page: string, table: string, head: readonly string[], rows: readonly string[]) {
  const begin = `<!-- ${table}: begin; \`npm run generate\` writes it -->\n`;
  const end = `<!-- ${table}: end -->`;
  const [before, rest] = readFileSync(new URL(page, root), 'utf8').split(begin);
  const after = rest?.slice(rest.indexOf(end));
  if (after === undefined || !after.startsWith(end))
    throw new Error(`${page} has lost the place of its ${table}`);
  return `${before}${begin}${[...head, ...rows].join('\n')}\n${after}`;
}
