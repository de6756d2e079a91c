import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { Face } from '../../parts/face.tsx';
import { When } from '../../parts/time.tsx';
import { homeWords, chatWords as says } from '../../words.ts';
import type { ChatLog, Line } from './chat-log.ts';

/** So many lines are drawn together, or none of them. */
const blockLines = 50;
/** How far beyond the edges what scrolls is drawn already. */
const beyondPx = 600;
/** Who is no further from the end sees it, and goes on to. */
const endPx = 60;
/** What one says within this time stands under one name. */
const togetherMs = 5 * 60_000;

interface LinesProps {
  readonly log: ChatLog;
  readonly lines: readonly Line[];
  /** All lines, and not those alone that hold a word. */
  readonly isWhole: boolean;
}

/** A chat of any length, of which only what is near the window is drawn; it follows its end, and loads the past when one goes there. */
export function Lines({ log, lines, isWhole }: LinesProps) {
  const box = useRef<HTMLElement>(null);
  const hasNew = useSignal(false);
  const isAtEnd = useRef(true);
  const before = useRef({ first: 0, last: 0, height: 0 });
  const first = lines[0]?.number ?? 0;
  const last = lines.at(-1)?.number ?? 0;
  useLayoutEffect(() => {
    const { current } = box;
    if (current === null) return;
    const was = before.current;
    if (isAtEnd.current) current.scrollTop = current.scrollHeight;
    // What was read stays where it is when the past comes above it.
    else if (first < was.first) current.scrollTop += current.scrollHeight - was.height;
    else if (last > was.last) hasNew.value = true;
    before.current = { first, last, height: current.scrollHeight };
  }, [first, last]);
  const look = () => {
    const { current } = box;
    if (current === null) return;
    isAtEnd.current = current.scrollHeight - current.scrollTop - current.clientHeight < endPx;
    if (isAtEnd.current) hasNew.value = false;
    before.current = { ...before.current, height: current.scrollHeight };
    if (isWhole && current.scrollTop < beyondPx) void log.goBack();
  };
  const toEnd = () => {
    const { current } = box;
    current?.scrollTo({ top: current.scrollHeight });
  };
  return (
    <div class="chat-frame">
      <section
        class="chat-lines"
        ref={box}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls it by keys
        tabIndex={0}
        role="log"
        aria-label={says.log}
        aria-busy={log.isLoading.value || undefined}
        onScroll={look}
      >
        {isWhole && log.hasMore.value === false && <p class="chat-begin">{says.begin}</p>}
        {blocksOf(lines).map(([number, block]) => (
          <Block key={number} lines={block} />
        ))}
      </section>
      {hasNew.value && (
        <Button kind="main" icon="down" onClick={toEnd}>
          {says.newLines}
        </Button>
      )}
    </div>
  );
}

type Told = readonly [line: Line, previous: Line | undefined];

/** By their numbers, so that what comes before or behind leaves every other block as it is. */
function blocksOf(lines: readonly Line[]): [number, Told[]][] {
  const blocks = new Map<number, Told[]>();
  for (const [index, line] of lines.entries()) {
    const number = Math.floor(line.number / blockLines);
    const block = blocks.get(number) ?? [];
    block.push([line, lines[index - 1]]);
    blocks.set(number, block);
  }
  return [...blocks];
}

/** Far from the window it is only as high as it was. */
function Block({ lines }: { lines: readonly Told[] }) {
  const place = useRef<HTMLUListElement>(null);
  const height = useSignal<number | undefined>(undefined);
  useEffect(() => {
    const { current } = place;
    if (current === null) return;
    const observer = new IntersectionObserver(
      ([seen]) => {
        height.value = seen?.isIntersecting ? undefined : current.offsetHeight;
      },
      { root: current.parentElement, rootMargin: `${beyondPx}px 0px` },
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return (
    <ul ref={place} style={height.value === undefined ? {} : { height: `${height.value}px` }}>
      {height.value === undefined &&
        lines.map(([line, previous]) => <Said key={line.number} line={line} previous={previous} />)}
    </ul>
  );
}

const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'full' });

function Said({ line, previous }: { line: Line; previous: Line | undefined }) {
  const { at, name, text, playerId, isGap, fate, reason } = line;
  const said = new Date(at);
  const isNewDay = previous === undefined || new Date(previous.at).toDateString() !== said.toDateString();
  const isTogether =
    !isNewDay &&
    previous.name === name &&
    previous.playerId === playerId &&
    !previous.isGap &&
    said.getTime() - Date.parse(previous.at) < togetherMs;
  return (
    <li class={`said ${isTogether ? 'together' : ''} ${fate === undefined ? '' : 'own'}`}>
      {isNewDay && <p class="chat-day">{day.format(said)}</p>}
      {isGap ? (
        <p class="chat-begin">{says.gap}</p>
      ) : (
        <>
          {!isTogether && (
            <p class="said-by">
              <Face id={playerId ?? '0'} name={name} />
              <span class="name">
                <bdi>{name || (fate === undefined ? homeWords.unnamed : says.anonymous)}</bdi>
              </span>
              <span class="faint">
                <When at={at} as="clock" />
              </span>
            </p>
          )}
          <p class="said-text">
            <bdi>{text}</bdi>
          </p>
          {fate !== undefined && fate !== 'delivered' && (
            <p class={`said-fate ${fate}`}>
              {says.fates[fate]}
              {reason !== undefined && `: ${reason}`}
            </p>
          )}
        </>
      )}
    </li>
  );
}
