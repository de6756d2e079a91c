import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import '../styles/virtual-list.css';

interface VirtualListProps<Item> {
  readonly label: string;
  readonly items: readonly Item[];
  /** Every row is as high; what is longer scrolls or is cut by who draws it. */
  readonly rowHeight: number;
  readonly keyOf: (item: Item) => string;
  readonly row: (item: Item) => ComponentChildren;
}

/** Rows beyond the edges, so that fast fingers meet no white. */
const beyond = 8;

/** Which of the rows are drawn. */
export function drawnRows(count: number, rowHeight: number, top: number, height: number) {
  const first = Math.max(0, Math.floor(top / rowHeight) - beyond);
  const last = Math.min(count, Math.ceil((top + height) / rowHeight) + beyond);
  return { first, last: Math.max(first, last) };
}

/** A long list of which only what is in sight is drawn. It scrolls by keys, too. */
export function VirtualList<Item>({ label, items, rowHeight, keyOf, row }: VirtualListProps<Item>) {
  const box = useRef<HTMLElement>(null);
  const place = useMemo(() => signal({ top: 0, height: 600 }), []);
  useEffect(() => {
    const { current } = box;
    if (current === null) return;
    const look = () => {
      place.value = { top: current.scrollTop, height: current.clientHeight };
    };
    const observer = new ResizeObserver(look);
    observer.observe(current);
    current.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      current.removeEventListener('scroll', look);
    };
  }, []);
  const { top, height } = place.value;
  const { first, last } = drawnRows(items.length, rowHeight, top, height);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls it by keys
    <section class="virtual" ref={box} tabIndex={0} aria-label={label}>
      <ul style={{ height: `${items.length * rowHeight}px` }}>
        {items.slice(first, last).map((item, index) => (
          <li
            key={keyOf(item)}
            aria-setsize={items.length}
            aria-posinset={first + index + 1}
            style={{ height: `${rowHeight}px`, transform: `translateY(${(first + index) * rowHeight}px)` }}
          >
            {row(item)}
          </li>
        ))}
      </ul>
    </section>
  );
}
