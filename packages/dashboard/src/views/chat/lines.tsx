import { useSignal } from '@preact/signals';
import { useCallback, useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { Face } from '../../parts/face.tsx';
import { once } from '../../parts/once.ts';
import { When } from '../../parts/time.tsx';
import { homeWords, chatWords as says } from '../../words.ts';
import type { ChatLog, Line } from './chat-log.ts';

/** So many lines are drawn together, or none of them. */
const blockLines = 20;
/** How far beyond the edges what scrolls is drawn already. */
const beyondPx = 600;
/** What a line is taken to need before any was drawn. */
const firstLinePx = 30;
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
  const anchor = useRef<Anchor | undefined>(undefined);
  const last = lines.at(-1)?.number ?? 0;
  const seen = useRef(last);
  const sight = useRef(new Sight());
  const blocks = useRef<readonly LineBlock[]>([]);
  blocks.current = blocksOf(lines, blocks.current);
  // Whatever becomes higher or lower above the window, what is read stays where it is.
  const hold = useCallback(() => {
    const { current } = box;
    if (current === null) return;
    const held = anchor.current?.place.isConnected ? anchor.current : undefined;
    if (isAtEnd.current) current.scrollTop = current.scrollHeight;
    // Said without need it would end a finger's throw.
    else if (held !== undefined && held.place.offsetTop - held.offset !== current.scrollTop)
      current.scrollTop = held.place.offsetTop - held.offset;
    anchor.current = anchorIn(current);
  }, []);
  // Once for all blocks that are drawn together: each look at where things are has the browser lay out what was drawn before it.
  const isToHold = useRef(false);
  const holdSoon = useCallback(() => {
    if (isToHold.current) return;
    isToHold.current = true;
    queueMicrotask(() => {
      isToHold.current = false;
      hold();
    });
  }, []);
  const look = () => {
    const { current } = box;
    if (current === null) return;
    const { scrollTop: top } = current;
    isAtEnd.current = current.scrollHeight - top - current.clientHeight < endPx;
    // Elsewhere, what is drawn again as one scrolls would be read out as new.
    current.ariaLive = isAtEnd.current ? 'polite' : 'off';
    if (isAtEnd.current) hasNew.value = false;
    anchor.current = anchorIn(current);
    if (isWhole && top < beyondPx) void log.goBack();
  };
  useLayoutEffect(() => {
    hold();
    if (!isAtEnd.current && last > seen.current) hasNew.value = true;
    seen.current = last;
  }, [lines[0]?.number, last, log.hasMore.value]);
  useEffect(() => {
    if (box.current === null) return;
    const observer = new ResizeObserver(hold);
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
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
        {isWhole && log.hasMore.value === false && (
          <p class="chat-begin">{log.mayMiss.value ? says.mayMiss : says.begin}</p>
        )}
        {blocks.current.map((block, index, all) => (
          <Block
            key={block.number}
            block={block}
            isLast={index >= all.length - 2}
            sight={sight.current}
            onDrawn={holdSoon}
          />
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

interface Anchor {
  readonly place: HTMLElement;
  /** How far below the upper edge it begins. */
  readonly offset: number;
}

/** The line at the upper edge; where none is drawn, what stands for its block. Asked for a point, the browser would prepare to paint. */
function anchorIn(box: HTMLElement): Anchor | undefined {
  const block = lastAbove(box, box.scrollTop);
  const place = block && (lastAbove(block, box.scrollTop) ?? block);
  return place && { place, offset: place.offsetTop - box.scrollTop };
}

/** Of what stands one below the other in it the last that begins above, or the first. */
function lastAbove({ children }: HTMLElement, top: number): HTMLElement | undefined {
  let above = 0;
  for (let end = children.length; above < end; ) {
    const middle = (above + end) >> 1;
    if ((children[middle] as HTMLElement).offsetTop <= top) above = middle + 1;
    else end = middle;
  }
  return (children[Math.max(0, above - 1)] ?? undefined) as HTMLElement | undefined;
}

interface LineBlock {
  readonly number: number;
  readonly lines: readonly Line[];
  /** Said before the first of them. */
  readonly previous: Line | undefined;
}

/** By their numbers, so that what comes before or behind leaves every other block as it is: the same object, which is not drawn anew. */
function blocksOf(lines: readonly Line[], before: readonly LineBlock[]): readonly LineBlock[] {
  const known = new Map(before.map((block) => [block.number, block]));
  const blocks: LineBlock[] = [];
  let start = 0;
  for (const [index, { number: last }] of lines.entries()) {
    const number = Math.floor(last / blockLines);
    const after = lines[index + 1];
    if (after !== undefined && Math.floor(after.number / blockLines) === number) continue;
    const block = { number, lines: lines.slice(start, index + 1), previous: lines[start - 1] };
    const same = known.get(number);
    blocks.push(same !== undefined && isSame(same, block) ? same : block);
    start = index + 1;
  }
  return blocks;
}

function isSame(one: LineBlock, other: LineBlock): boolean {
  return (
    one.previous === other.previous &&
    one.lines.length === other.lines.length &&
    one.lines.every((line, index) => line === other.lines[index])
  );
}

/** Tells each block that comes near the window, or goes. With an observer of its own each block would be drawn and laid out alone. */
class Sight {
  /** What a line is taken to need that was never drawn: as much as one of the last block that went. */
  linePx = firstLinePx;
  readonly #told = new Map<Element, (seen: IntersectionObserverEntry) => void>();
  #observer: IntersectionObserver | undefined;

  watch(block: Element, tell: (seen: IntersectionObserverEntry) => void): () => void {
    this.#observer ??= new IntersectionObserver(
      (seen) => {
        for (const each of seen) this.#told.get(each.target)?.(each);
      },
      { root: block.parentElement, rootMargin: `${beyondPx}px 0px` },
    );
    this.#told.set(block, tell);
    this.#observer.observe(block);
    return () => {
      this.#told.delete(block);
      this.#observer?.unobserve(block);
    };
  }
}

interface BlockProps {
  readonly block: LineBlock;
  readonly isLast: boolean;
  readonly sight: Sight;
  readonly onDrawn: () => void;
}

/** Far from the window it is only as high as it was, or as it is taken to be. */
function Block({ block: { lines, previous }, isLast, sight, onDrawn }: BlockProps) {
  const place = useRef<HTMLUListElement>(null);
  // It grows while it is watched: the last one begins with a single line.
  const held = useRef(lines);
  held.current = lines;
  const height = useSignal(isLast ? undefined : lines.length * sight.linePx);
  useEffect(() => {
    const { current } = place;
    if (current === null) return;
    return sight.watch(current, ({ isIntersecting, boundingClientRect }) => {
      if (isIntersecting) height.value = undefined;
      else if (height.value === undefined) {
        height.value = boundingClientRect.height;
        sight.linePx = height.value / held.current.length;
      }
    });
  }, []);
  useLayoutEffect(() => {
    if (height.value === undefined) onDrawn();
  });
  return (
    <ul ref={place} style={height.value === undefined ? { height: '' } : { height: `${height.value}px` }}>
      {height.value === undefined &&
        lines.map((line, index) => (
          <Said key={line.number} line={line} previous={lines[index - 1] ?? previous} />
        ))}
    </ul>
  );
}

const day = once(() => new Intl.DateTimeFormat(undefined, { dateStyle: 'full' }));

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
      {isNewDay && <p class="chat-day">{day().format(said)}</p>}
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
