import { secretWords as says } from '../words.ts';
import { Button, CopyButton } from './button.tsx';
import { Dialog } from './dialog.tsx';
import '../styles/secret.css';

export interface ShownSecret {
  readonly title: string;
  readonly text: string;
  readonly secret: string;
}

/** Told of a secret that the server gave out, where it did. */
export type OnSecret = (name: string, secret: string | undefined) => void;

/** What is told this once: it stays until somebody says that they have it. */
export function Secret({ title, text, secret, onClose }: ShownSecret & { readonly onClose: () => void }) {
  return (
    <Dialog title={title} onClose={onClose} staysOpen>
      <p class="dialog-text">{text}</p>
      <p class="secret">
        <code>{secret}</code>
      </p>
      <div class="buttons">
        <CopyButton text={secret} of={title} />
        <Button kind="main" onClick={onClose}>
          {says.have}
        </Button>
      </div>
    </Dialog>
  );
}
