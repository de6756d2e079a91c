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
const minutesLine = /^A whole run takes some (\d+) minutes/m;

/** The whole page around what was measured. */
export function page({ figures, growth, breaks, rooms, minutes }: Measurements): string {
  const took = minutes === undefined ? '' : `A whole run takes some ${minutes} minutes on such a machine. `;
  return `# Performance

What Steward reaches, beside what is possible or usual, measured by this repository on one machine. Repeat it on yours:

\`\`\`sh
npm run bench                       # everything, and writes this page
npm run bench -- status download    # these alone, and replaces their rows
npm run bench -- growth:webhooks    # one thing that is doubled
\`\`\`

${took}Nothing else should run meanwhile: two processes measure each other, and a third is in the way. The command ends with a failure
where a bar is not met or a benchmark could not be carried out; rows of what could not be measured stay as they were. Each row
names the machine that it was measured on.

- **Steward** is the median over the rounds of the run, **beside** the median of the limit or peer: both run in processes of their
  own (the decoders of LZMA in one), in turn, round after round. **ratio** is the median of the rounds' own ratios, and **spread** where it lies by nineteen in
  twenty: of few rounds the least and the greatest ratio, of many those in the middle. Quote the ratios; the other figures are the
  machine's.
- **bar** is what the figure has to reach; where there is none it is for information. What depends on the machine has a ratio for a bar. Where
  it was in milliseconds or megabytes once, that stands in brackets: it is what the ratio comes to on the machine that the bars were made on.
  Sizes of what is shipped or kept, and memory beyond what a process starts with, hardly depend on the machine: their bars are absolute.
- A *bare start, CPU* is the processor time that a server on node:http takes until it listens, and *bare, idle* its memory: how fast the
  machine is, and what Node takes on it. Both are measured in the same run, right before.
- A *bare* server is the least that could give the same bytes: node:http, or a broadcast of \`ws\`, without key, log, limits or metrics.
  The *usual* server gives the same answer as it is mostly built: fastify with its own log, a schema and a metric.
- An *empty* page has nothing but Preact; both are opened in Chromium, each time in a window that knows nothing of the one before.
- Beside *store* stands the control API itself: on a disk that is fast, on an empty \`STATE_DIR\`, on a database without events. The disk
  is made slow by a preloaded library, for which \`gcc\` is needed.

${tableHead(figureColumns)}
${figures.join('\n')}

${growthHeading}

${whatBreaksFirst(rooms)}\`npm run bench -- growth\`: one thing is doubled until something breaks, or a minute is over; caps that an operator can set are set out
of the way, and those of keys, webhooks and schedules passed by. *Made for* is the cap as set out of the box; without one it is the largest
that we know of or try the page with. *cost of each* is the control API's processor time for each of what is doubled: by request, by client
and message, by player and change, by farmhand and join, by run of a schedule. Where it stays level the whole grows in proportion, where it
rises it grows faster. *memory* is that of the whole process.

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
