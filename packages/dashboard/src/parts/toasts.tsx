import { signal } from '@preact/signals';
import { deedWords, words } from '../words.ts';
import '../styles/toasts.css';
import { standBeside } from './beside.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

export interface Toast {
  readonly kind: 'done' | 'underWay' | 'failed' | 'unknown';
  readonly title: string;
  readonly text?: string | undefined;
  readonly remedy?: string | undefined;
  readonly operationId?: string | undefined;
}

/** What went well is read in this time; what did not stays until somebody has read it. */
const doneMs = 6_000;
const most = 4;

const shown = signal<readonly (Toast & { readonly number: number })[]>([]);
let last = 0;

export function toast(told: Toast): void {
  last += 1;
  const number = last;
  shown.value = [...shown.peek(), { ...told, number }].slice(-most);
  if (told.kind === 'done' || told.kind === 'underWay') setTimeout(() => dismiss(number), doneMs);
}

function dismiss(number: number): void {
  shown.value = shown.peek().filter((each) => each.number !== number);
}

const icons = { done: 'check', underWay: 'wait', failed: 'warn', unknown: 'wait' } as const;

standBeside(Toasts);

function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite" aria-atomic="false">
      {shown.value.map(({ number, kind, title, text, remedy, operationId }) => (
        <div key={number} class={`toast ${kind}`}>
          <Icon name={icons[kind]} />
          <div class="toast-text">
            <strong>{title}</strong>
            {text !== undefined && <p>{text}</p>}
            {remedy !== undefined && <p>{remedy}</p>}
            {operationId !== undefined && (
              <p class="faint">
                {deedWords.operation} <code>{operationId}</code>
              </p>
            )}
          </div>
          <Button
            kind="quiet"
            icon="close"
            aria-label={`${words.page.dismiss}: ${title}`}
            onClick={() => dismiss(number)}
          />
        </div>
      ))}
    </div>
  );
}
