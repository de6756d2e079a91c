import { signal } from '@preact/signals';
import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { words } from '../words.ts';
import { Icon, type IconName } from './icon.tsx';

interface ButtonProps extends Omit<ButtonHTMLAttributes, 'icon' | 'type' | 'disabled'> {
  readonly kind?: 'main' | 'plain' | 'danger' | 'quiet';
  readonly icon?: IconName;
  /** It does something right now: it cannot be pressed again, and keeps the focus. */
  readonly isBusy?: boolean;
  readonly disabled?: boolean;
  readonly type?: 'button' | 'submit';
  readonly children?: ComponentChildren;
}

export function Button({
  kind = 'plain',
  icon,
  isBusy = false,
  type = 'button',
  onClick,
  children,
  ...more
}: ButtonProps) {
  return (
    <button
      {...more}
      type={type}
      class={`button ${kind}`}
      aria-disabled={isBusy || undefined}
      data-busy={isBusy || undefined}
      {...(onClick === undefined || isBusy ? {} : { onClick })}
    >
      {icon !== undefined && <Icon name={icon} size={20} />}
      {children}
    </button>
  );
}

const shownMs = 2_000;

/** Copies a text; where the browser does not let it, the text is there to be selected. */
export function CopyButton({ text, of }: { text: string; of: string }) {
  const said = useMemo(() => signal<string | undefined>(undefined), []);
  const copy = async () => {
    said.value = (await isCopied(text)) ? words.page.copied : words.page.copyFailed;
    setTimeout(() => {
      said.value = undefined;
    }, shownMs);
  };
  return (
    <span class="copy">
      <Button
        icon={said.value === words.page.copied ? 'check' : 'copy'}
        aria-label={`${words.page.copy}: ${of}`}
        onClick={copy}
      >
        {words.page.copy}
      </Button>
      <span class="copy-said" role="status">
        {said}
      </span>
    </span>
  );
}

async function isCopied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const { isCopiedOldWay } = await import('./old-clipboard.ts');
    return isCopiedOldWay(text);
  }
}
