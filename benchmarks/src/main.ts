import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { arch, availableParallelism, platform, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { figures, growth, growthName, growths } from './benchmarks.ts';
import { figureColumns, figureRow, missed } from './page/figure-row.ts';
import { breakLineOf, growthColumns, growthRows } from './page/growth-row.ts';
import { type Measurements, page, readPage, renewed } from './page/page.ts';
import { tableHead } from './page/table.ts';

const gibibyte = 1024 ** 3;
const msPerMinute = 60_000;
const msPerSecond = 1_000;
const pageFile = fileURLToPath(new URL('../../docs/performance.md', import.meta.url));

/** Measures nothing: for when the words around the tables have changed. */
const wordsAlone = 'words';

const names = [...Object.keys(figures), growthName];
const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !names.includes(name) && name !== wordsAlone);
if (unknown.length > 0) {
  console.error(
    `there is no benchmark ${unknown.join(', ')}; there are ${names.join(', ')}; ${wordsAlone} measures nothing and writes docs/performance.md again`,
  );
  process.exit(2);
}

const began = performance.now();
const here = machine();
const fresh: Record<'figures' | 'growth' | 'breaks', string[]> = { figures: [], growth: [], breaks: [] };
const failures: string[] = [];

const wanted = names.filter((name) => chosen.length === 0 || chosen.includes(name));
for (const [index, name] of wanted.entries()) {
  console.error(`${index + 1} of ${wanted.length}: ${name}, after ${seconds(performance.now() - began)}`);
  try {
    if (name === growthName) await measureGrowth();
    else await measureFigures(name);
  } catch (error) {
    // The others can still be measured; a run takes too long to be thrown away.
    failures.push(
      `${name} could not be carried out: ${error instanceof Error ? error.stack : String(error)}`,
    );
  }
}
const took = performance.now() - began;
writeFileSync(pageFile, page(merged()));
console.error(`${seconds(took)} in all; written to docs/performance.md`);
if (failures.length > 0) {
  console.error(failures.join('\n'));
  process.exitCode = 1;
}

async function measureFigures(name: string): Promise<void> {
  const comparisons = (await figures[name]?.()) ?? [];
  const rows = comparisons.map((comparison) => figureRow(name, comparison, here));
  console.log(`${tableHead(figureColumns)}\n${rows.join('\n')}`);
  fresh.figures.push(...rows);
  failures.push(...comparisons.flatMap((comparison) => missed(name, comparison)));
}

async function measureGrowth(): Promise<void> {
  for await (const grown of growth()) {
    const rows = growthRows(grown, here);
    const breaks = breakLineOf(grown);
    console.log(`${breaks}\n${tableHead(growthColumns)}\n${rows.join('\n')}`);
    fresh.growth.push(...rows);
    fresh.breaks.push(breaks);
  }
}

function merged(): Measurements {
  const old = readPage(existsSync(pageFile) ? readFileSync(pageFile, 'utf8') : '');
  const isWhole =
    wanted.length === names.length && failures.every((failure) => !failure.includes('carried out'));
  const minutes = isWhole ? Math.ceil(took / msPerMinute) : old.minutes;
  return {
    figures: renewed(old.figures, fresh.figures, names),
    growth: renewed(old.growth, fresh.growth, Object.keys(growths)),
    breaks: renewed(old.breaks, fresh.breaks, Object.keys(growths)),
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
