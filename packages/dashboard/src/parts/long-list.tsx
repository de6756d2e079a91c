import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

/** More than fit into a window. */
const rowsAtOnce = 25;

interface LongListProps<Item> {
  readonly class: string;
  readonly items: readonly Item[];
  /** One `li`, with a key. */
  readonly row: (item: Item) => ComponentChildren;
}

/** Of a long list each frame draws some rows more: nothing that a person does waits for all of them. */
export function LongList<Item>({ class: name, items, row }: LongListProps<Item>) {
  return (
    <ul class={name}>
      {Array.from({ length: Math.ceil(items.length / rowsAtOnce) }, (_, turn) => (
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
  return waits.value > 0 ? null : items.slice(turn * rowsAtOnce, (turn + 1) * rowsAtOnce).map(row);
}
