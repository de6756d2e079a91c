import { useSignal } from '@preact/signals';
import type { Samples } from '@steward/client';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { farm } from '../../farm/farms.ts';
import type { Asked } from '../../farm/reads.ts';
import { once } from '../../parts/once.ts';
import { Empty, Loaded } from '../../parts/states.tsx';
import { clock, dayAndClock } from '../../parts/times.ts';
import { plotWords as says } from '../../words.ts';
import { linePath, thinned, timeMarks, valueMarks } from './scales.ts';

export type LineName = Exclude<keyof Samples, 'from' | 'step' | 'stepSeconds'>;

interface PlotProps {
  readonly asked: Asked<'getSamples'>;
  readonly lines: readonly LineName[];
  readonly title: string;
}

/** What was measured over a stretch of time, or in its place that nothing was. */
export function Plot({ asked, lines, title }: PlotProps) {
  const store = farm.value;
  return (
    <div class="plot">
      <Loaded
        shown={store.read('getSamples', asked).value}
        lines={7}
        onRetry={() => store.makeOld('getSamples')}
      >
        {(samples) =>
          lines.some((line) => samples[line].some((value) => value !== null)) ? (
            <Drawn samples={samples} lines={lines} title={title} />
          ) : (
            <Empty icon="plot" title={says.none}>
              {says.noneText}
            </Empty>
          )
        }
      </Loaded>
    </div>
  );
}

const room = { left: 44, right: 8, top: 8, bottom: 24 } as const;
const height = 190;
const markPx = 85;

const marked = once(() => new Intl.NumberFormat());
const day = once(() => new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' }));
/** Of samples of whole days, which are days of UTC. */
const dayInUtc = once(
  () => new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' }),
);

function Drawn({ samples, lines, title }: Omit<PlotProps, 'asked'> & { readonly samples: Samples }) {
  const box = useRef<HTMLDivElement>(null);
  const width = useSignal(0);
  const at = useSignal<number | undefined>(undefined);
  useEffect(() => {
    const { current } = box;
    if (current === null) return;
    const observer = new ResizeObserver(() => {
      width.value = current.clientWidth;
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  const count = samples[lines[0] as LineName].length;
  const stepMs = samples.stepSeconds * 1_000;
  const from = Date.parse(samples.from);
  const inner = Math.max(1, width.value - room.left - room.right);
  const x = (index: number) => room.left + (index / Math.max(1, count - 1)) * inner;
  const drawn = useMemo(() => {
    const most = Math.max(0, ...lines.map((line) => mostOf(samples[line])));
    const marks = valueMarks(most);
    const top = marks.at(-1) ?? 1;
    const y = (value: number) => height - room.bottom - (value / top) * (height - room.top - room.bottom);
    const paths = lines.map((line) => {
      const { values, each } = thinned(samples[line], inner, line === 'ticksPerSecond' ? Math.min : Math.max);
      return linePath(values, (index) => x(Math.min(count - 1, index * each)), y);
    });
    return { marks, y, paths };
  }, [samples, lines, width.value]);
  const isOfDays = samples.step === 'day';
  const { marks, areDays } = timeMarks(
    from,
    from + (count - 1) * stepMs,
    Math.max(2, inner / markPx),
    isOfDays ? 0 : -new Date(from).getTimezoneOffset() * 60_000,
  );
  const pointed = at.value === undefined ? lastKnown(samples, lines) : Math.min(at.value, count - 1);
  const time = (isOfDays ? dayInUtc : dayAndClock)().format(from + pointed * stepMs);
  const said = lines.map((line) => says.says[line](samples[line][pointed] ?? undefined)).join(', ');
  return (
    <>
      <p class="plot-says">
        <span class="faint">{time}</span>
        {lines.map((line, index) => (
          <span key={line} class="line-says" data-line={index}>
            {says.says[line](samples[line][pointed] ?? undefined)}
          </span>
        ))}
      </p>
      <div
        class="plot-box"
        ref={box}
        onPointerMove={({ clientX, currentTarget }) => {
          const along = clientX - currentTarget.getBoundingClientRect().left - room.left;
          at.value = Math.min(count - 1, Math.max(0, Math.round((along / inner) * (count - 1))));
        }}
        onPointerLeave={() => {
          at.value = undefined;
        }}
      >
        <svg width={width.value} height={height} aria-hidden="true" focusable="false">
          {drawn.marks.map((mark) => (
            <g key={mark}>
              <path class="rule" d={`M${room.left} ${drawn.y(mark)}H${width.value - room.right}`} />
              <text x={room.left - 6} y={drawn.y(mark) + 4} class="end">
                {marked().format(mark)}
              </text>
            </g>
          ))}
          {marks.map((mark) => (
            <text key={mark} x={x((mark - from) / stepMs)} y={height - 6}>
              {/* Where clocks were set back, a day begins an hour after the mark. */}
              {(isOfDays ? dayInUtc : areDays ? day : clock)().format(areDays ? mark + 3_600_000 : mark)}
            </text>
          ))}
          {drawn.paths.map((path, index) => (
            <path key={lines[index]} class="line" data-line={index} d={path} />
          ))}
          {at.value !== undefined && (
            <path class="pointer" d={`M${x(pointed)} ${room.top}V${height - room.bottom}`} />
          )}
        </svg>
        <input
          type="range"
          aria-label={says.along(title)}
          aria-valuetext={`${time}: ${said}`}
          min={0}
          max={count - 1}
          value={pointed}
          onInput={({ currentTarget }) => {
            at.value = Number(currentTarget.value);
          }}
        />
      </div>
    </>
  );
}

function mostOf(values: Samples[LineName]): number {
  let most = 0;
  for (const value of values) if (value !== null && value > most) most = value;
  return most;
}

/** What is shown where nobody points at anything. */
function lastKnown(samples: Samples, lines: readonly LineName[]): number {
  return Math.max(0, ...lines.map((line) => samples[line].findLastIndex((value) => value !== null)));
}
