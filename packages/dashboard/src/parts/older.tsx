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

/** What a list begins with, as the server keeps it true, and below it page after page of what is older. */
export function useOlder<Row>(newest: readonly Row[] | undefined, { most, idOf, ask }: PagesOf<Row>) {
  const known = useRef<readonly Row[]>([]);
  const isMore = useSignal<boolean | undefined>(undefined);
  const isUnderWay = useSignal(false);
  if (newest !== undefined) {
    known.current = joined(newest, known.current, idOf);
    if (known.current === newest) isMore.value = undefined;
  }
  const rows = known.current;
  const load = async () => {
    const oldest = rows.at(-1);
    if (oldest === undefined) return;
    isUnderWay.value = true;
    try {
      const page = await ask(oldest);
      // Meanwhile the list may have begun again.
      const ids = new Set(known.current.map(idOf));
      known.current = [...known.current, ...page.filter((row) => !ids.has(idOf(row)))];
      isMore.value = page.length === most;
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
