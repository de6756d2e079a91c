import { useSignal } from '@preact/signals';
import type { Drain } from '@steward/client';
import { drainLimits, drainWhens } from '@steward/shared/drain';
import { farm } from '../../farm/farms.ts';
import { may } from '../../may.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { useDeed } from '../../parts/deed.ts';
import { Offered } from '../../parts/deed-button.tsx';
import { Box, Choice, Field } from '../../parts/field.tsx';
import { Loaded } from '../../parts/states.tsx';
import { When } from '../../parts/time.tsx';
import { emptying } from '../../parts/typed.ts';
import { everybodyWords as says } from '../../words.ts';
import '../../styles/closing.css';

/** What concerns all who play: a line of the server, and seeing them off. */
export function ForEverybody({ isClosing }: { isClosing: boolean }) {
  const store = farm.value;
  if (!may(store.caller.value, 'announce')) return null;
  const drain = store.read('getDrain').value;
  return (
    <Card title={says.title} icon="bell">
      <Offered does="announce">
        <Announce />
      </Offered>
      {!isClosing && (
        <details class="see-off">
          <summary>{says.seeOff}</summary>
          <Loaded shown={drain} onRetry={() => store.makeOld('getDrain')}>
            {(known) => <SeeOff drain={known} />}
          </Loaded>
        </details>
      )}
    </Card>
  );
}

const lineCharacters = 450;

function Announce() {
  const { client } = farm.value;
  const line = useSignal('');
  const error = useSignal<string | undefined>(undefined);
  const { isUnderWay, start } = useDeed();
  const announce = (event: Event) => {
    event.preventDefault();
    const message = line.value.trim();
    error.value = message === '' ? says.noLine : undefined;
    if (message === '') return;
    void start({
      run: (options) => client.announce({ message }, options),
      onDone: emptying(line, ''),
    });
  };
  return (
    <form onSubmit={announce} noValidate>
      <Field
        label={says.announce}
        hint={says.announceHint}
        value={line.value}
        error={error.value}
        onValue={(value) => {
          line.value = value;
          error.value = undefined;
        }}
        more={{ maxLength: lineCharacters, autocomplete: 'off' }}
      />
      <Button type="submit" isBusy={isUnderWay.value}>
        {says.announceVerb}
      </Button>
    </form>
  );
}

type Moment = (typeof drainWhens)[number];

function SeeOff({ drain: { savedAt } }: { drain: Drain }) {
  const { client } = farm.value;
  const when = useSignal<Moment>('day-end');
  const minutes = useSignal('');
  const seconds = useSignal('');
  const message = useSignal('');
  const restart = useSignal(true);
  const { isUnderWay, start } = useDeed();
  const { usualMinutes, mostMinutes, usualSeconds, mostSeconds } = drainLimits;
  const waits = when.value !== 'now';
  const isWrong = (waits && wrongIn(minutes.value, mostMinutes)) || wrongIn(seconds.value, mostSeconds);
  const seeOff = (event: Event) => {
    event.preventDefault();
    if (isWrong) return;
    void start({
      question: async () => {
        const { players, lostIfStoppedNow } = await client.getDrain();
        return {
          title: restart.value ? says.restartSure : says.sure,
          text: `${says.online(players)} ${says.lost} ${lostIfStoppedNow}.`,
          verb: says.verb,
          isDangerous: true,
        };
      },
      run: (options) =>
        client.startDrain(
          {
            when: when.value,
            restart: restart.value,
            minutes: waits ? numberIn(minutes.value) : undefined,
            seconds: numberIn(seconds.value),
            message: message.value.trim() || undefined,
          },
          options,
        ),
      became: () => 'underWay',
    });
  };
  return (
    <form onSubmit={seeOff} noValidate>
      {savedAt !== undefined && (
        <p class="faint">
          {says.saved} <When at={savedAt} />
        </p>
      )}
      <Choice
        label={says.when}
        value={when.value}
        options={drainWhens.map((each) => [each, says.whens[each]])}
        onValue={(value) => {
          when.value = value as Moment;
        }}
      />
      {waits && (
        <NumberField
          label={says.minutes}
          typed={minutes}
          usual={usualMinutes[when.value]}
          most={mostMinutes}
        />
      )}
      <NumberField label={says.seconds} typed={seconds} usual={usualSeconds} most={mostSeconds} />
      <Field
        label={says.message}
        value={message.value}
        onValue={(value) => {
          message.value = value;
        }}
        more={{ maxLength: 200, autocomplete: 'off' }}
      />
      <Box
        label={says.restart}
        isOn={restart.value}
        onChange={(isOn) => {
          restart.value = isOn;
        }}
      />
      <Button type="submit" kind="danger" isBusy={isUnderWay.value}>
        {says.verb}
      </Button>
    </form>
  );
}

interface NumberFieldProps {
  readonly label: string;
  readonly typed: { value: string };
  /** What it is where nothing is typed. */
  readonly usual: number;
  readonly most: number;
}

function NumberField({ label, typed, usual, most }: NumberFieldProps) {
  return (
    <Field
      label={label}
      type="number"
      value={typed.value}
      error={wrongIn(typed.value, most) ? says.wrong(most) : undefined}
      onValue={(value) => {
        typed.value = value;
      }}
      more={{ min: 0, max: most, inputMode: 'numeric', placeholder: String(usual) }}
    />
  );
}

function wrongIn(typed: string, most: number): boolean {
  return typed !== '' && !(/^\d{1,5}$/.test(typed) && Number(typed) <= most);
}

function numberIn(typed: string): number | undefined {
  return typed === '' ? undefined : Number(typed);
}
