import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { shortWords } from '../words.ts';
import { Button } from './button.tsx';
import { outcomeOf } from './deed.ts';
import { joined } from './older-rows.ts';
import { toast } from './toasts.tsx';

interface PagesOf<Row> {
  /** As many as a page has at the most: where one has fewer there is nothing older. */
  readonly most: number;
  readonly idOf: (row: Row) => string;
  readonly ask: (oldest: Row) => Promise<readonly Row[]>;
}

/** A page stays open for weeks. What came beyond this and what somebody has asked for is let go, and can be loaded again. */
const mostUnasked = 500;

/** What a list begins with, as the server keeps it true, and below it page after page of what is older. */
export function useOlder<Row>(newest: readonly Row[] | undefined, { most, idOf, ask }: PagesOf<Row>) {
  const known = useRef<readonly Row[]>([]);
  const asked = useRef(0);
  const isMore = useSignal<boolean | undefined>(undefined);
  const isUnderWay = useSignal(false);
  if (newest !== undefined) {
    const all = joined(newest, known.current, idOf);
    if (all === newest) {
      isMore.value = undefined;
      asked.current = 0;
    }
    const held = asked.current + mostUnasked;
    known.current = all.slice(0, held);
    if (all.length > held) isMore.value = true;
  }
  const rows = known.current;
  const load = async () => {
    const oldest = rows.at(-1);
    if (oldest === undefined) return;
    isUnderWay.value = true;
    try {
      const page = await ask(oldest);
      const ids = new Set(known.current.map(idOf));
      // Meanwhile the list may have begun again, or been cut: there would be a hole before these.
      if (ids.has(idOf(oldest))) {
        known.current = [...known.current, ...page.filter((row) => !ids.has(idOf(row)))];
        asked.current = known.current.length;
        isMore.value = page.length === most;
      }
    } catch (error) {
      toast({ ...outcomeOf(error), title: shortWords.failed });
    }
    isUnderWay.value = false;
  };
  const button = (isMore.value ?? rows.length >= most) && (
    <div class="buttons">
      <Button isBusy={isUnderWay.value} onClick={load}>
        {shortWords.showOlder}
      </Button>
    </div>
  );
  return { rows: newest && rows, button };
}
