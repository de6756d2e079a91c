import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { arch, availableParallelism, platform, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { figures, growthCalled, growthName, growths } from './benchmarks.ts';
import type { Comparison } from './comparison.ts';
import { figureColumns, figureRow, missed } from './page/figure-row.ts';
import { breakLineOf, type Growth, growthColumns, growthRows } from './page/growth-row.ts';
import { type Measurements, page, readPage, renewed } from './page/page.ts';
import { roomRow } from './page/room-row.ts';
import { tableHead } from './page/table.ts';

const gibibyte = 1024 ** 3;
const msPerMinute = 60_000;
const msPerSecond = 1_000;
const pageFile = fileURLToPath(new URL('../../docs/performance.md', import.meta.url));

/** Measures nothing: for when the words around the tables have changed. */
const wordsAlone = 'words';

const measurements: Readonly<Record<string, () => Promise<void>>> = Object.fromEntries([
  ...Object.entries(figures).map(([name, measure]) => [name, () => measureFigures(name, measure)]),
  ...Object.entries(growths).map(([name, measure]) => [growthCalled(name), () => measureGrowth(measure)]),
]);
const names = Object.keys(measurements);
const chosen = process.argv.slice(2);
const isKnown = (name: string) => names.includes(name) || [growthName, wordsAlone].includes(name);
const unknown = chosen.filter((name) => !isKnown(name));
if (unknown.length > 0) {
  console.error(
    `there is no benchmark ${unknown.join(', ')}; there are ${names.join(', ')}, and ${growthName} for all that is doubled; ${wordsAlone} measures nothing and writes docs/performance.md again`,
  );
  process.exit(2);
}

const began = performance.now();
const here = machine();
const fresh = {
  figures: [] as string[],
  growth: [] as string[],
  breaks: [] as string[],
  rooms: [] as string[],
};
/** Bars that were not met. */
const failures: string[] = [];
/** What could not be measured, and keeps the rows that it has. */
const keptRows: string[] = [];

const wanted = names.filter(
  (name) =>
    chosen.length === 0 ||
    chosen.includes(name) ||
    (chosen.includes(growthName) && name.startsWith(growthCalled(''))),
);
for (const [index, name] of wanted.entries()) {
  console.error(`${index + 1} of ${wanted.length}: ${name}, after ${seconds(performance.now() - began)}`);
  try {
    await measurements[name]?.();
    // Of a run that is stopped, what it has measured stays.
    writeFileSync(pageFile, page(merged()));
  } catch (error) {
    // The others can still be measured; a run takes too long to be thrown away.
    const why = error instanceof Error ? error.stack : String(error);
    keptRows.push(`${name} could not be carried out, and its rows are those of an earlier run: ${why}`);
  }
}
const took = performance.now() - began;
writeFileSync(pageFile, page(merged(took)));
console.error(`${seconds(took)} in all; written to docs/performance.md`);
const isInOrder = failures.length + keptRows.length === 0;
if (!isInOrder) console.error([...failures, ...keptRows].join('\n'));
// What could not be carried out has left its servers running, and would be waited for; they end with this process.
process.exit(isInOrder ? 0 : 1);

async function measureFigures(name: string, measure: () => Promise<readonly Comparison[]>): Promise<void> {
  const comparisons = await measure();
  const rows = comparisons.map((comparison) => figureRow(name, comparison, here));
  console.log(`${tableHead(figureColumns)}\n${rows.join('\n')}`);
  fresh.figures.push(...rows);
  failures.push(...comparisons.flatMap((comparison) => missed(name, comparison)));
}

async function measureGrowth(measure: () => Promise<Growth>): Promise<void> {
  const grown = await measure();
  const rows = growthRows(grown, here);
  const breaks = breakLineOf(grown);
  console.log(`${breaks}\n${tableHead(growthColumns)}\n${rows.join('\n')}`);
  fresh.growth.push(...rows);
  fresh.breaks.push(breaks);
  fresh.rooms.push(roomRow(grown));
}

/** What there was, with what this run has measured in its place; `took` once it has measured all that it was to. */
function merged(took?: number): Measurements {
  const old = readPage(existsSync(pageFile) ? readFileSync(pageFile, 'utf8') : '');
  const isWhole = took !== undefined && wanted.length === names.length && keptRows.length === 0;
  const minutes = isWhole ? Math.ceil(took / msPerMinute) : old.minutes;
  return {
    figures: renewed(old.figures, fresh.figures, Object.keys(figures)),
    growth: renewed(old.growth, fresh.growth, Object.keys(growths)),
    breaks: renewed(old.breaks, fresh.breaks, Object.keys(growths)),
    rooms: renewed(old.rooms, fresh.rooms, Object.keys(growths)),
    ...(minutes === undefined ? {} : { minutes }),
  };
}

function seconds(ms: number): string {
  return `${Math.round(ms / msPerSecond)} s`;
}

/** The machine as far as it matters for a figure; nothing that names it. */
function machine(): string {
  const memory = Math.round(totalmem() / gibibyte);
  return `${availableParallelism()} cores, ${memory} GiB, ${platform()} ${arch()}, Node ${process.versions.node}`;
}
