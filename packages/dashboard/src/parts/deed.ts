import { signal } from '@preact/signals';
import { StewardError, type WriteOptions } from '@steward/client';
import { useMemo } from 'preact/hooks';
import { farm } from '../farm/farms.ts';
import { deedWords } from '../words.ts';
import { askFirst, type Question } from './dialog.tsx';
import { type Toast, toast } from './toasts.tsx';

export interface Answered {
  readonly message: string;
  readonly operationId?: string;
}

export interface Deed<Answer> {
  /** Asked first, where it is not easily undone; where the server is asked before what it would do, once it has said so. */
  readonly question?: Question | (() => Promise<Question>);
  readonly run: (options: WriteOptions) => Promise<Answer>;
  /** What it came to, where the server’s own words are not enough. */
  readonly says?: (answer: Answer) => string;
  /** What became of it, where that is not simply that it was done. */
  readonly became?: (answer: Answer) => Toast['kind'];
  readonly onDone?: (answer: Answer) => void;
}

/** Carries out a deed: asks first, does it once however often it is tried, and tells what became of it. Undefined where it was not done. */
export async function carryOut<Answer extends Answered>({
  question,
  run,
  says = ({ message }) => message,
  became = () => 'done',
  onDone,
}: Deed<Answer>): Promise<Answer | undefined> {
  try {
    const asked = typeof question === 'function' ? await question() : question;
    if (asked !== undefined && !(await askFirst(asked))) return undefined;
    const store = farm.peek();
    const answer = await run({});
    store.afterDeed();
    const { operationId } = answer;
    const kind = became(answer);
    toast({ kind, title: deedWords[kind], text: says(answer), operationId });
    onDone?.(answer);
    return answer;
  } catch (error) {
    toast(outcomeOf(error));
    return undefined;
  }
}

/** The same for a button: whether it is under way, and what to call. */
export function useDeed() {
  return useMemo(() => {
    const isUnderWay = signal(false);
    const start = async <Answer extends Answered>(deed: Deed<Answer>): Promise<Answer | undefined> => {
      if (isUnderWay.peek()) return undefined;
      isUnderWay.value = true;
      try {
        return await carryOut(deed);
      } finally {
        isUnderWay.value = false;
      }
    };
    return { isUnderWay, start };
  }, []);
}

/** An error in words: what became of the deed, why, and what to do. */
export function outcomeOf(error: unknown): Toast {
  if (!(error instanceof StewardError))
    return { kind: 'failed', title: deedWords.failed, text: deedWords.notKnownHere };
  const { code, detail, operationId, applied } = error;
  const isUnknown = applied === null || code === 'outcome-unknown';
  const kind = isUnknown ? 'unknown' : 'failed';
  return {
    kind,
    title: deedWords[kind],
    text: detail,
    remedy: isUnknown ? deedWords.unknownText : deedWords.remedies[code],
    operationId,
  };
}
