import { type KeptFile, keptFiles } from './kept-files.ts';
import { withTable } from './table-in-page.ts';

const head = [
  '| File | Where | Writes | Reads | Met by an older version |',
  '| --- | --- | --- | --- | --- |',
];

/** The table of versions comes from the formats themselves. */
export function upgradesPage(): string {
  return withTable('docs/upgrades.md', 'table of versions', head, [...keptFiles.values()].map(row));
}

function row({ name, place, current, unversioned, whenNewer }: KeptFile): string {
  const versions = current === 1 ? '1' : `1 to ${current}`;
  const reads = unversioned === undefined ? versions : `${versions}, and without one`;
  return `| ${name} | \`${place}\` | ${current} | ${reads} | ${whenNewer} |`;
}
