import type { FarmOperations } from '@steward/client';
import type { ComponentChildren, ComponentProps } from 'preact';
import { farm } from '../farm/farms.ts';
import { can, may } from '../may.ts';
import { deedWords } from '../words.ts';
import { Button } from './button.tsx';
import { type Answered, type Deed, useDeed } from './deed.ts';

interface DeedButtonProps<Answer> extends Omit<ComponentProps<typeof Button>, 'onClick' | 'isBusy'> {
  readonly deed: Deed<Answer>;
}

/** A button that does something, once at a time. */
export function DeedButton<Answer extends Answered>({ deed, ...more }: DeedButtonProps<Answer>) {
  const { isUnderWay, start } = useDeed();
  return <Button {...more} isBusy={isUnderWay.value} onClick={() => void start(deed)} />;
}

/** What the key may do; where this game cannot do it, that. */
export function Offered({ does, children }: { does: keyof FarmOperations; children: ComponentChildren }) {
  const { caller, status } = farm.value;
  if (!may(caller.value, does)) return null;
  if (!can(status.value, does)) return <p class="faint">{deedWords.remedies['not-supported-by-game']}</p>;
  return <>{children}</>;
}
