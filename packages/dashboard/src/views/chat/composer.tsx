import { useSignal } from '@preact/signals';
import { chatLimits } from '@steward/shared/chat/rules';
import { useId } from 'preact/hooks';
import { whereLet } from '../../key.ts';
import { Button } from '../../parts/button.tsx';
import { chatWords as says } from '../../words.ts';
import type { ChatLog } from './chat-log.ts';

/** Whom one was last, on this device. */
const authorKept = 'steward chat author';

interface ComposerProps {
  readonly log: ChatLog;
  readonly isUnsupported: boolean;
  /** No game is there that could show it. */
  readonly isEmpty: boolean;
}

/** Where one says something in the game. */
export function Composer({ log, isUnsupported, isEmpty }: ComposerProps) {
  const author = useSignal(whereLet(() => localStorage.getItem(authorKept)) ?? '');
  const text = useSignal('');
  const id = useId();
  if (isUnsupported || isEmpty)
    return <p class="chat-closed">{isUnsupported ? says.unsupported : says.noGame}</p>;
  const say = (event: Event) => {
    event.preventDefault();
    const line = text.value.trim();
    if (line === '') return;
    whereLet(() => localStorage.setItem(authorKept, author.value));
    void log.say(author.value.trim(), line);
    text.value = '';
  };
  return (
    <form class="composer" onSubmit={say}>
      <div class="field composer-author">
        <label for={`${id}-author`}>{says.author}</label>
        <input
          id={`${id}-author`}
          value={author.value}
          placeholder={says.anonymous}
          maxLength={chatLimits.authorCharacters}
          autocomplete="nickname"
          onInput={({ currentTarget }) => {
            author.value = currentTarget.value;
          }}
        />
      </div>
      <div class="field composer-text">
        <label for={`${id}-text`}>{says.text}</label>
        <input
          id={`${id}-text`}
          value={text.value}
          placeholder={says.text}
          maxLength={chatLimits.messageCharacters}
          autocomplete="off"
          enterkeyhint="send"
          onInput={({ currentTarget }) => {
            text.value = currentTarget.value;
          }}
        />
      </div>
      <Button kind="main" type="submit">
        {says.say}
      </Button>
    </form>
  );
}
