import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { deedWords, words } from '../words.ts';
import '../styles/dialog.css';
import { standBeside } from './beside.ts';
import { Button } from './button.tsx';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  /** At the lower edge of a phone, where a thumb is. */
  readonly isSheet?: boolean;
  /** Neither Escape nor a press beside it closes it: what it shows is not to be had again. */
  readonly staysOpen?: boolean;
}

/** The second press of a double click is not meant for what the first one opened. */
const doubleClickMs = 500;

/** A window over the page: it takes the focus, gives it back, and Escape closes it, as the browser does it. */
export function Dialog({ title, onClose, children, isSheet = false, staysOpen = false }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    setTimeout(() => staysOpen || dialog.current?.setAttribute('closedby', 'any'), doubleClickMs);
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={isSheet ? 'sheet' : ''}
      aria-labelledby={id}
      onClose={onClose}
      onCancel={(event) => staysOpen && event.preventDefault()}
      {...{ closedby: staysOpen ? 'none' : 'closerequest' }}
    >
      <div class="dialog-inside">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}

export interface Question {
  readonly title: string;
  readonly text?: ComponentChildren;
  /** What the button says that does it. */
  readonly verb?: string;
  readonly isDangerous?: boolean;
}

interface Asked extends Question {
  readonly answer: (isSure: boolean) => void;
}

const asked = signal<Asked | undefined>(undefined);

/** Asks before a deed is done; not at all while another question is open: it would come under a finger that means that one. */
export function askFirst(question: Question): Promise<boolean> {
  if (asked.peek() !== undefined) return Promise.resolve(false);
  return new Promise((resolve) => {
    const answer = (isSure: boolean) => {
      asked.value = undefined;
      resolve(isSure);
    };
    asked.value = { ...question, answer };
  });
}

standBeside(Questions);

function Questions() {
  const question = asked.value;
  if (question === undefined) return null;
  const { title, text, verb = deedWords.sure, isDangerous = false, answer } = question;
  return (
    <Dialog title={title} onClose={() => answer(false)}>
      <div class="dialog-text">{text}</div>
      <div class="buttons">
        <Button kind={isDangerous ? 'danger' : 'main'} onClick={({ detail }) => detail < 2 && answer(true)}>
          {verb}
        </Button>
        <Button onClick={() => answer(false)} autofocus>
          {words.page.cancel}
        </Button>
      </div>
    </Dialog>
  );
}
