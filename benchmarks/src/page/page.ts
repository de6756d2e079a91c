import { figureColumns } from './figure-row.ts';
import { growthColumns } from './growth-row.ts';
import { roomColumns, whatBreaksFirst } from './room-row.ts';
import { firstCell, tableHead } from './table.ts';

/** Everything on the page that was measured, as it stands there. */
export interface Measurements {
  /** Rows of the table of figures; the first cell of each is its benchmark. */
  readonly figures: readonly string[];
  /** Rows of the table of growth; the first cell of each is what was doubled. */
  readonly growth: readonly string[];
  /** A sentence for each of those: what breaks first. */
  readonly breaks: readonly string[];
  /** A row for each of those: how far it could grow. */
  readonly rooms: readonly string[];
  /** How long the last whole run took. */
  readonly minutes?: number;
}

const growthHeading = '## Growth';
const breakLine = /^- \*\*([^*]+)\*\*: /;
const minutesLine = /^A whole run takes about (\d+) minutes/m;

/** The whole page around what was measured. */
export function page({ figures, growth, breaks, rooms, minutes }: Measurements): string {
  const took = minutes === undefined ? '' : `A whole run takes about ${minutes} minutes on such a machine. `;
  return `# Performance

How fast and how large Steward is, compared with what is possible and with what is usual. This repository measured it on one machine. Repeat it on yours:

\`\`\`sh
npm run bench                       # every benchmark; writes this page
npm run bench -- status download    # only these; replaces their rows
npm run bench -- growth:webhooks    # only one growth test
\`\`\`

${took}Run nothing else meanwhile: the two processes that are compared already use both cores. The command fails if a limit is not
met or a benchmark cannot run; the old rows of such a benchmark stay. Each row names its machine.

- **Steward** is the median over all rounds, and **beside** is the median of what it is compared with. Both run in processes of their
  own (the LZMA decoders share one), in turn, round after round. **ratio** is the median of the ratios of the rounds. **spread** is the range of 95 % of
  these ratios; with few rounds, their lowest and highest. Quote the ratios: the other figures depend on the machine.
- **bar** is the limit for the figure. Figures without one are for information. If a figure depends on the machine, its limit is a ratio. Some
  of these limits were milliseconds or megabytes once: the value in brackets is what the ratio means on the machine where they were set.
  The size of files, and memory on top of what a process needs at its start, hardly depend on the machine: their limits are absolute.
- *bare start, CPU* is the processor time that a server on node:http uses until it listens, and *bare, idle* is its memory. They show how fast
  the machine is and what Node itself costs there. Both are measured in the same run, just before. That server is one TypeScript file, so
  Node loads what strips types, about 15 MB; the bundles that we measure are JavaScript.
- A *bare* server is the smallest that gives the same bytes: node:http, or a broadcast with \`ws\`, without keys, log, limits or metrics.
  The *usual* server gives the same answer in the common way: fastify with its own log, a schema and a metric.
- An *empty* page contains only Preact. Both pages are opened in Chromium, each time in a new window with an
  empty cache; that needs Debian’s package \`chromium\`. Each is *ready* once its heading stands and it waits for nothing more:
  ours then shows the farm, its state and its players.
- *store* compares the control API with itself: on a fast disk, with an empty \`STATE_DIR\`, with a database without events. A preloaded
  library makes the disk slow; that needs \`gcc\`.

${tableHead(figureColumns)}
${figures.join('\n')}

${growthHeading}

${whatBreaksFirst(rooms)}\`npm run bench -- growth\` doubles one thing until something breaks or a minute is over. Limits that an operator can
set are set very high for this, and those on keys, webhooks and schedules are bypassed. *Made for* is the default limit; where there is none, it is the largest number
that we know of or test the page with. *cost of each* is the processor time of the control API for each of what is doubled: per request, per client
and message, per player and change, per farmhand and join, per run of a schedule. If it stays the same, the total cost grows in proportion; if it
rises, the total grows faster. *memory* is that of the whole process.

${breaks.join('\n')}

${tableHead(growthColumns)}
${growth.join('\n')}
`;
}

/** What a page says was measured. */
export function readPage(text: string): Measurements {
  const [above = '', below = ''] = text.split(`\n${growthHeading}\n`);
  const [summary = '', growth = ''] = below.split(tableHead(growthColumns));
  const minutes = minutesLine.exec(above)?.[1];
  return {
    figures: rows(above, figureColumns[0]),
    growth: rows(growth, growthColumns[0]),
    breaks: summary.split('\n').filter((line) => breakLine.test(line)),
    rooms: rows(summary, roomColumns[0]),
    ...(minutes === undefined ? {} : { minutes: Number(minutes) }),
  };
}

/** The old with the new in place of what it measures again, in the order given. */
export function renewed(
  old: readonly string[],
  fresh: readonly string[],
  order: readonly string[],
): readonly string[] {
  return order.flatMap((name) => {
    const measured = fresh.filter((line) => nameOf(line) === name);
    return measured.length > 0 ? measured : old.filter((line) => nameOf(line) === name);
  });
}

function nameOf(line: string): string | undefined {
  return firstCell(line) ?? breakLine.exec(line)?.[1];
}

function rows(text: string, heading: string): readonly string[] {
  return text.split('\n').filter((line) => {
    const name = firstCell(line);
    return name !== undefined && name !== heading && name !== '---';
  });
}
