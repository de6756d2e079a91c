import { readFileSync } from 'node:fs';
import { filterTable } from '@steward/platform-auth/download/filter/filter-table';

const page = new URL('../../../docs/download.md', import.meta.url);
const begin = '<!-- filter table: begin; `npm run generate` writes it -->\n';
const end = '<!-- filter table: end -->';

/** The page is written by hand; the table of what is left out, in the middle of it, comes from the filter's own. */
export function downloadPage(): string {
  const text = readFileSync(page, 'utf8');
  const [before, rest] = text.split(begin);
  const after = rest?.slice(rest.indexOf(end));
  if (after === undefined || !after.startsWith(end))
    throw new Error('docs/download.md has lost the place of its table');
  const rows = filterTable.map(
    ({ what, reason, language }) =>
      `| ${what} | ${reason} | ${language === undefined ? '`PLATFORM_KEEP_FILES`' : `\`${language}\``} |`,
  );
  const table = ['| Left out | Why | Kept by |', '| --- | --- | --- |', ...rows].join('\n');
  return `${before}${begin}${table}\n${after}`;
}
