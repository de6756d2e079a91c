import { signal } from '@preact/signals';
import { secretWords as says } from '../words.ts';
import { standBeside } from './beside.ts';
import { Button, CopyButton } from './button.tsx';
import { Dialog } from './dialog.tsx';
import '../styles/secret.css';

interface ShownSecret {
  readonly title: string;
  readonly text: string;
  readonly secret: string;
}

const shown = signal<readonly ShownSecret[]>([]);

/** What is told this once: it stays until somebody says that they have it, at whichever view they are by then. */
export function showSecret(title: string, text: string, secret: string | undefined): void {
  // Where the answer that had it was lost on its way, there is none to show.
  if (secret !== undefined) shown.value = [...shown.peek(), { title, text, secret }];
}

standBeside(Secrets);

function Secrets() {
  const [first] = shown.value;
  if (first === undefined) return null;
  const { title, text, secret } = first;
  const close = () => {
    shown.value = shown.peek().filter((each) => each !== first);
  };
  return (
    <Dialog key={secret} title={title} onClose={close} staysOpen>
      <p class="dialog-text">{text}</p>
      <p class="secret">
        <code>{secret}</code>
      </p>
      <div class="buttons">
        <CopyButton text={secret} of={title} />
        <Button kind="main" onClick={close}>
          {says.have}
        </Button>
      </div>
    </Dialog>
  );
}
