import type { Line, Run } from './screen-lines.ts';

/** A screen, and for how long it is shown. */
export interface Frame {
  readonly lines: readonly Line[];
  readonly ms: number;
}

export interface Recording {
  readonly title: string;
  /** All that was on the screen, for who hears it, and for who searches it. */
  readonly text: string;
  readonly columns: number;
  readonly rows: number;
  readonly frames: readonly Frame[];
}

const fontPixels = 14;
const cellWidth = 8.4;
const lineHeight = 18;
const edge = 16;
const barHeight = 34;

const style = (totalMs: number) => `
text { font: ${fontPixels}px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; fill: #d8dee9; white-space: pre }
.red { fill: #ff7b72 } .green { fill: #7ee787 } .yellow { fill: #e3b341 } .blue { fill: #79c0ff }
.magenta { fill: #d2a8ff } .cyan { fill: #56d4dd } .white { fill: #ffffff } .grey { fill: #8b949e }
.bold { font-weight: bold } .faint { opacity: 0.6 } .cursor { fill: #d8dee9 } text .inverse { fill: #0d1117 }
.part { visibility: hidden; animation: var(--span) ${totalMs}ms step-end infinite } .end { visibility: visible }
@media (prefers-reduced-motion: reduce) { .part { animation: none } }`;

/**
 * One picture that plays by itself, again and again, wherever pictures are shown: it needs no script and loads nothing. A line of the
 * screen is in it once for as long as it stays as it is. Who wants no motion sees the last screen.
 */
export function animatedSvg({ title, text, columns, rows, frames }: Recording): string {
  const width = Math.ceil(columns * cellWidth + 2 * edge);
  const height = barHeight + rows * lineHeight + edge;
  const starts = startsOf(frames);
  const total = starts.at(-1) ?? 0;
  const spans = new Map<string, string>();
  const parts = Array.from({ length: rows }, (_, row) => row).flatMap((row) =>
    stays(frames, row).map(({ line, from, until }) => {
      const name = `s${from}-${until}`;
      spans.set(name, keyframes(name, (starts[from] ?? 0) / total, (starts[until] ?? total) / total));
      const end = until === frames.length ? ' end' : '';
      return `<g class="part${end}" style="--span: ${name}">${drawnLine(line, row)}</g>`;
    }),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title text">
<title id="title">${escaped(title)}</title>
<desc id="text">${escaped(text)}</desc>
<style>${style(total)}
${[...spans.values()].join('\n')}
</style>
<rect width="${width}" height="${height}" rx="8" fill="#0d1117"/>
${['#ff5f57', '#febc2e', '#28c840'].map((fill, at) => `<circle cx="${edge + 6 + 20 * at}" cy="17" r="6" fill="${fill}"/>`).join('')}
${parts.join('\n')}
</svg>
`;
}

/** When each frame begins, and last when all is over. */
function startsOf(frames: readonly Frame[]): readonly number[] {
  let at = 0;
  return [
    0,
    ...frames.map(({ ms }) => {
      at += ms;
      return at;
    }),
  ];
}

/** From which frame to before which one a row stays the same; empty rows are not drawn. */
function stays(frames: readonly Frame[], row: number) {
  const found: { readonly line: Line; readonly from: number; readonly until: number }[] = [];
  frames.forEach(({ lines }, at) => {
    const line = lines[row] ?? [];
    const last = found.at(-1);
    const goesOn = last?.until === at && JSON.stringify(last.line) === JSON.stringify(line);
    if (goesOn) found[found.length - 1] = { ...last, until: at + 1 };
    else found.push({ line, from: at, until: at + 1 });
  });
  return found.filter(({ line }) => line.length > 0);
}

/** Shown within the span alone, which is said in parts of the whole. */
function keyframes(name: string, from: number, until: number): string {
  const percent = (part: number) => `${Number((100 * part).toFixed(3))}%`;
  const before = from === 0 ? '' : '0% { visibility: hidden } ';
  const after = until === 1 ? '' : ` ${percent(until)} { visibility: hidden }`;
  return `@keyframes ${name} { ${before}${percent(from)} { visibility: visible }${after} }`;
}

function drawnLine(line: Line, row: number): string {
  const y = barHeight + row * lineHeight;
  const cursors = line
    .filter(({ look }) => look.includes('inverse'))
    .map(
      ({ column, text }) =>
        `<rect class="cursor" x="${left(column)}" y="${y}" width="${wide(text)}" height="${lineHeight}"/>`,
    );
  return `${cursors.join('')}<text y="${y + fontPixels}">${line.map(drawnRun).join('')}</text>`;
}

/** As wide as on a terminal, whichever font there is. */
function drawnRun({ column, text, look }: Run): string {
  const shape = look === '' ? '' : ` class="${look}"`;
  return `<tspan x="${left(column)}" textLength="${wide(text)}"${shape}>${escaped(text)}</tspan>`;
}

const left = (column: number) => Number((edge + column * cellWidth).toFixed(1));
const wide = (text: string) => Number(([...text].length * cellWidth).toFixed(1));

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
