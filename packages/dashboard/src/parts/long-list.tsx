import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

/** As many as most windows show, since the first frame has all else to draw as well. */
const firstRows = 12;
const rowsAtOnce = 25;

interface LongListProps<Item> {
  readonly class: string;
  readonly items: readonly Item[];
  /** One `li`, with a key. */
  readonly row: (item: Item) => ComponentChildren;
}

/** Of a long list each frame draws some rows more: nothing that a person does waits for all of them. */
export function LongList<Item>({ class: name, items, row }: LongListProps<Item>) {
  const later = Math.ceil(Math.max(0, items.length - firstRows) / rowsAtOnce);
  return (
    <ul class={name}>
      {Array.from({ length: 1 + later }, (_, turn) => (
        <Rows key={turn} turn={turn} items={items} row={row} />
      ))}
    </ul>
  );
}

function Rows<Item>({ turn, items, row }: Omit<LongListProps<Item>, 'class'> & { readonly turn: number }) {
  const waits = useSignal(turn);
  useEffect(() => {
    let frame = 0;
    const wait = () => {
      waits.value -= 1;
      if (waits.peek() > 0) frame = requestAnimationFrame(wait);
    };
    if (turn > 0) frame = requestAnimationFrame(wait);
    return () => cancelAnimationFrame(frame);
  }, []);
  if (waits.value > 0) return null;
  const end = firstRows + turn * rowsAtOnce;
  return items.slice(turn > 0 ? end - rowsAtOnce : 0, end).map(row);
}
