import { signal } from '@preact/signals';
import { secretWords as says, words } from '../words.ts';
import { standBeside } from './beside.ts';
import { Button, CopyButton } from './button.tsx';
import { Dialog } from './dialog.tsx';
import '../styles/secret.css';

interface ShownSecret {
  readonly title: string;
  readonly text: string;
  readonly secret: string | undefined;
}

interface ToldOnce {
  readonly secret?: string;
  readonly secretShown?: true;
}

const shown = signal<readonly ShownSecret[]>([]);

/** What is told this once: it stays until somebody says that they have it, at whichever view they are by then. */
export function showSecret(
  title: string,
  text: string,
  lost: string,
  { secret, secretShown }: ToldOnce,
): void {
  // Where the answer that had it was lost on its way, a retry is told of none, and nobody has it.
  if (secret !== undefined || secretShown)
    shown.value = [...shown.peek(), { title, text: secret === undefined ? lost : text, secret }];
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
      {secret !== undefined && (
        <p class="secret">
          <code>{secret}</code>
        </p>
      )}
      <div class="buttons">
        {secret !== undefined && <CopyButton text={secret} of={title} />}
        <Button kind="main" onClick={close}>
          {secret === undefined ? words.page.dismiss : says.have}
        </Button>
      </div>
    </Dialog>
  );
}
