import type { ComponentChildren } from 'preact';
import type { Shown } from '../farm/reads.ts';
import { words } from '../words.ts';
import { Icon, type IconName } from './icon.tsx';
import { lazy } from './lazy.tsx';

export const Trouble = lazy(async () => (await import('./trouble.tsx')).Trouble);

interface EmptyProps {
  readonly icon: IconName;
  readonly title: string;
  readonly children?: ComponentChildren;
}

/** In the place of something that is not there, and why. */
export function Empty({ icon, title, children }: EmptyProps) {
  return (
    <div class="empty">
      <Icon name={icon} size={32} />
      <p class="empty-title">{title}</p>
      {children !== undefined && <div class="faint">{children}</div>}
    </div>
  );
}

/** Takes the room that something will take, so that nothing moves when it comes. */
export function Awaited({ lines = 3 }: { lines?: number | undefined }) {
  return (
    <div class="awaited" aria-busy="true">
      <span class="out-of-sight">{words.page.loading}</span>
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} class="awaited-line" />
      ))}
    </div>
  );
}

interface LoadedProps<Value> {
  readonly shown: Shown<Value>;
  readonly lines?: number | undefined;
  readonly onRetry?: () => void;
  readonly children: (value: Value) => ComponentChildren;
}

/** What a read has answered, or in its place why it has not. What was known stays in sight while it cannot be asked anew. */
export function Loaded<Value>({ shown: { value, error }, lines, onRetry, children }: LoadedProps<Value>) {
  if (value !== undefined) return <>{children(value)}</>;
  if (error === undefined) return <Awaited lines={lines} />;
  return <Trouble error={error} onRetry={onRetry} />;
}
