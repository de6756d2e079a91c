import { useSignal } from '@preact/signals';
import { StewardError } from '@steward/client';
import { useEffect } from 'preact/hooks';
import { farm } from '../../farm/farms.ts';
import { can, may } from '../../may.ts';
import { Button } from '../../parts/button.tsx';
import { ViewHead } from '../../parts/card.tsx';
import { Field } from '../../parts/field.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { chatWords as says, words } from '../../words.ts';
import { ChatLog } from './chat-log.ts';
import { Composer } from './composer.tsx';
import { Lines } from './lines.tsx';
import './chat.css';

/** What is said on the farm, and saying something there. */
export function ChatView() {
  const store = farm.value;
  const log = ChatLog.of(store);
  const sought = useSignal('');
  useEffect(() => {
    if (log.hasMore.peek() === undefined) void log.goBack();
  }, [log]);
  const word = sought.value.trim().toLowerCase();
  const lines = log.lines.value;
  const found = word === '' ? lines : lines.filter((line) => holds(line, word));
  const error = log.error.value;
  const status = store.allows('read') ? store.status.value : undefined;
  const isKnown = log.hasMore.value !== undefined || lines.length > 0;
  return (
    <div class="chat">
      <ViewHead title={words.views.chat}>
        <search class="chat-search">
          <Field
            label={says.search}
            type="search"
            value={sought.value}
            onValue={(value) => {
              sought.value = value;
            }}
            more={{ placeholder: says.search }}
          />
        </search>
      </ViewHead>
      {word !== '' && (
        <div class="chat-found">
          <p role="status">{says.found(found.length, lines.length)}</p>
          {log.hasMore.value === true && (
            <Button isBusy={log.isLoading.value} onClick={() => log.lookFurther()}>
              {says.further}
            </Button>
          )}
        </div>
      )}
      <Loaded
        shown={{
          value: isKnown ? found : undefined,
          error: error instanceof StewardError ? error : undefined,
        }}
        lines={8}
        onRetry={() => log.goBack()}
      >
        {(shown) =>
          shown.length === 0 ? (
            <div class="chat-lines">
              <Empty
                icon="chat"
                title={word !== '' ? says.noneFound : log.mayMiss.value ? says.mayMiss : says.none}
              >
                {word === '' ? says.noneText : undefined}
              </Empty>
            </div>
          ) : (
            <Lines key={word === '' ? '' : 'found'} lines={shown} log={log} isWhole={word === ''} />
          )
        }
      </Loaded>
      {may(store.caller.value, 'sendChat') && (
        <Composer log={log} isUnsupported={!can(status, 'sendChat')} isEmpty={status?.isOnline === false} />
      )}
    </div>
  );
}

function holds({ name, text }: { name: string; text: string }, word: string): boolean {
  return text.toLowerCase().includes(word) || name.toLowerCase().includes(word);
}
