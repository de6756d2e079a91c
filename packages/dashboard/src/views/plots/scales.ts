/** What is drawn of one thing that was measured: a value for each step, null where nothing is known. */
export type Values = readonly (number | null)[];

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** As far apart as the marks below a plot may be. */
const apartMs = [1, 2, 4, 6, 12, 24, 48, 168, 336, 720, 1_440, 2_880].map((hours) => hours * hourMs);
const nice = [1, 2, 5, 10] as const;

/** Marks at round numbers from zero to what is the most, or a little above. */
export function valueMarks(most: number, wanted = 4): readonly number[] {
  if (!(most > 0)) return [0, 1];
  const rough = most / wanted;
  const size = 10 ** Math.floor(Math.log10(rough));
  const step = (nice.find((each) => each * size >= rough) ?? 10) * size;
  const count = Math.ceil(most / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)));
}

/** Marks at round times of the viewer’s clock; `offsetMs` is how far that is ahead of UTC. */
export function timeMarks(from: number, to: number, wanted: number, offsetMs: number) {
  const apart = apartMs.find((ms) => (to - from) / ms <= wanted) ?? apartMs.at(-1) ?? dayMs;
  const marks: number[] = [];
  for (let at = Math.ceil((from + offsetMs) / apart) * apart - offsetMs; at <= to; at += apart)
    marks.push(at);
  return { marks, areDays: apart >= dayMs };
}

/** No more points than there are places for them: of each few the largest, or the smallest, where that is what is looked for. */
export function thinned(
  values: Values,
  most: number,
  extreme: (...values: number[]) => number = Math.max,
): { readonly values: Values; readonly each: number } {
  const each = Math.max(1, Math.ceil(values.length / Math.max(1, most)));
  if (each === 1) return { values, each };
  const few = Array.from({ length: Math.ceil(values.length / each) }, (_, index) => {
    const known = values.slice(index * each, (index + 1) * each).filter((value) => value !== null);
    return known.length === 0 ? null : extreme(...known);
  });
  return { values: few, each };
}

/** A line through what is known; one point between two gaps is drawn as a short dash. */
export function linePath(values: Values, x: (index: number) => number, y: (value: number) => number): string {
  let path = '';
  let isDrawing = false;
  for (const [index, value] of values.entries()) {
    if (value !== null) {
      const isAlone = !isDrawing && (values[index + 1] ?? null) === null;
      path += `${isDrawing ? 'L' : 'M'}${round(x(index))} ${round(y(value))}${isAlone ? 'h1.5' : ''}`;
    }
    isDrawing = value !== null;
  }
  return path;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
