import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Icon, type IconName } from './icon.tsx';

interface CardProps {
  readonly title: string;
  readonly icon?: IconName;
  /** At the right of its heading. */
  readonly aside?: ComponentChildren;
  readonly kind?: 'trouble';
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A part of a view, with its heading. */
export function Card({ title, icon, aside, kind, class: more = '', children }: CardProps) {
  const id = useId();
  return (
    <section class={`card ${kind ?? ''} ${more}`} aria-labelledby={id}>
      <header class="card-head">
        <h2 id={id}>
          {icon !== undefined && <Icon name={icon} size={22} />}
          {title}
        </h2>
        {aside !== undefined && <div class="card-aside">{aside}</div>}
      </header>
      {children}
    </section>
  );
}

/** The heading of a view; the way to it ends there. */
export function ViewHead({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <header class="view-head">
      <h1 tabIndex={-1}>{title}</h1>
      {children}
    </header>
  );
}

/** A word for a state, with a mark for who does not see its colour. */
export function Pill({
  kind,
  icon,
  children,
}: {
  kind: 'good' | 'wait' | 'bad' | 'off';
  /** Another mark than that of its kind. */
  icon?: IconName;
  children: ComponentChildren;
}) {
  const icons = { good: 'check', wait: 'wait', bad: 'warn', off: 'off' } as const;
  return (
    <span class={`pill ${kind}`}>
      <Icon name={icon ?? icons[kind]} size={16} />
      {children}
    </span>
  );
}
