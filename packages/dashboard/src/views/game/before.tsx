import { type Signal, signal } from '@preact/signals';
import { farm } from '../../farm/farms.ts';
import { Box, Choice, Field } from '../../parts/field.tsx';
import { gameWords as says } from '../../words.ts';

type When = 'now' | 'empty' | 'day-end';

/** How players are seen off before another farm is played. */
export interface Before {
  readonly when: When;
  readonly message: string;
  readonly force: boolean;
}

export function freshBefore(): Signal<Before> {
  return signal({ when: 'now', message: '', force: false });
}

/** As the server is to be told of it. */
export function toldOf({ value: { when, message, force } }: Signal<Before>) {
  return { when, force, ...(message.trim() === '' ? {} : { message: message.trim() }) };
}

/** Asked before players have to go: who is there, what becomes of the farm that is played, and how they are to be seen off. */
export function AskBefore({ before }: { before: Signal<Before> }) {
  const { when, message, force } = before.value;
  const put = (changed: Partial<Before>) => {
    before.value = { ...before.peek(), ...changed };
  };
  return (
    <>
      <p>{says.seenOff(farm.value.status.value?.playerCount ?? 0)}</p>
      <p>{says.kept}</p>
      <Choice
        label={says.when}
        value={when}
        options={Object.entries(says.waits)}
        onValue={(value) => put({ when: value as When })}
      />
      <Field
        label={says.message}
        hint={says.messageHint}
        value={message}
        onValue={(typed) => put({ message: typed })}
        more={{ autocomplete: 'off', maxLength: 200 }}
      />
      <Box label={says.force} hint={says.forceHint} isOn={force} onChange={(isOn) => put({ force: isOn })} />
    </>
  );
}
