import { useSignal } from '@preact/signals';
import { farm } from '../../farm/farms.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { useDeed } from '../../parts/deed.ts';
import { Box, Choice, Field } from '../../parts/field.tsx';
import { emptying } from '../../parts/typed.ts';
import { TypedInput } from '../../parts/typed-input.tsx';
import { scheduleWords as says } from '../../words.ts';
import {
  type Action,
  askedOf,
  type Draft,
  freshDraft,
  parameterKinds,
  parametersOf,
  wrongOf,
} from './form.ts';

/** What is to be done by itself from now on, and when. */
export function MakeSchedule() {
  const store = farm.value;
  const draft = useSignal<Draft>(freshDraft());
  const isTried = useSignal(false);
  const { isUnderWay, start } = useDeed();
  const now = draft.value;
  const wrong = isTried.value ? wrongOf(now) : {};
  const put = (name: keyof Draft) => (text: string) => {
    draft.value = { ...draft.peek(), [name]: text };
  };
  const make = (event: Event) => {
    event.preventDefault();
    isTried.value = true;
    if (Object.keys(wrongOf(now)).length > 0) return;
    const emptyDraft = emptying(draft, freshDraft());
    void start({
      run: (options) => store.client.createSchedule(askedOf(now), options),
      onDone: () => {
        emptyDraft();
        isTried.value = false;
        store.makeOld('listSchedules');
      },
    });
  };
  return (
    <Card title={says.make} icon="sprout">
      <form onSubmit={make} noValidate>
        <div class="columns">
          <Field
            label={says.name}
            hint={says.nameHint}
            value={now.name}
            error={wrong.name}
            onValue={put('name')}
            more={{ autocomplete: 'off', maxLength: 50 }}
          />
          <Choice
            label={says.action}
            value={now.action}
            options={Object.entries(says.actions)}
            onValue={(action) => {
              draft.value = { ...draft.peek(), action: action as Action };
            }}
          />
        </div>
        {parametersOf[now.action]
          .filter((name) => name !== 'all' || store.allows('admin'))
          .map((name) => (
            <TypedInput
              key={name}
              kind={parameterKinds[name]}
              label={says.parameters[name][0]}
              hint={says.parameters[name][1]}
              text={now[name] ?? ''}
              error={wrong[name]}
              shownOf={(value) => says.waits[value] ?? value}
              onText={put(name)}
            />
          ))}
        <Choice
          label={says.when}
          value={now.at}
          options={Object.entries({ ...says.ready, ...says.choices })}
          onValue={put('at')}
        />
        {now.at === 'empty' ? (
          <Field
            label={says.minutesEmpty}
            value={now.emptyMinutes}
            error={wrong.emptyMinutes}
            type="number"
            onValue={put('emptyMinutes')}
          />
        ) : (
          <>
            {now.at === 'own' && (
              <Field
                label={says.cron}
                hint={says.cronHint}
                value={now.cron}
                error={wrong.cron}
                onValue={put('cron')}
                more={{ autocomplete: 'off', spellcheck: false, maxLength: 200 }}
              />
            )}
            <Field
              label={says.zone}
              hint={says.zoneHint}
              value={now.zone}
              onValue={put('zone')}
              more={{ autocomplete: 'off', spellcheck: false, maxLength: 64 }}
            />
            <Box
              label={says.missed}
              hint={says.missedHint}
              isOn={now.missed === 'true'}
              onChange={(isOn) => put('missed')(String(isOn))}
            />
          </>
        )}
        <Button kind="main" type="submit" icon="calendar" isBusy={isUnderWay.value}>
          {says.make}
        </Button>
      </form>
    </Card>
  );
}
