import { useSignal } from '@preact/signals';
import type { Settings } from '@steward/client';
import { farm } from '../../farm/farms.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { useDeed } from '../../parts/deed.ts';
import { Offered } from '../../parts/deed-button.tsx';
import { Loaded } from '../../parts/states.tsx';
import { emptying } from '../../parts/typed.ts';
import { TypedInput } from '../../parts/typed-input.tsx';
import { gameWords as says, settingWords } from '../../words.ts';
import { AskBefore, freshBefore, toldOf } from './before.tsx';
import { askedOf, type Draft, farmParts, type PartName, textOf, wrongWith } from './form.ts';

const names = Object.keys(farmParts) as PartName[];

/** A new farm, from the settings and what is said otherwise; it is played from then on. */
export function MakeFarm() {
  const store = farm.value;
  return (
    <Card title={says.make} icon="sprout">
      <Offered does="createFarm">
        <Loaded
          shown={store.read('getSettings').value}
          lines={10}
          onRetry={() => store.makeOld('getSettings')}
        >
          {({ game }) => <Form game={game} />}
        </Loaded>
      </Offered>
    </Card>
  );
}

function Form({ game }: { game: Settings['game'] }) {
  const store = farm.value;
  const draft = useSignal<Draft>({});
  const { isUnderWay, start } = useDeed();
  const isWrong = names.some((name) => wrongWith(name, draft.value[name]) !== undefined);
  const make = (event: Event) => {
    event.preventDefault();
    if (isWrong) return;
    const asked = askedOf(game, draft.value);
    const before = freshBefore();
    const emptyDraft = emptying(draft, {});
    void start({
      question: {
        title: says.sureMake(textOf(game, draft.value, 'farmName')),
        text: <AskBefore before={before} />,
        verb: says.make,
      },
      run: (options) => store.client.createFarm({ ...asked, ...toldOf(before) }, options),
      became: () => 'underWay',
      says: () => says.later,
      onDone: () => {
        emptyDraft();
        store.makeOld('listOperations');
      },
    });
  };
  return (
    <form onSubmit={make} noValidate>
      <p class="faint">{says.makeText}</p>
      <div class="new-farm">
        {names.map((name) => (
          <TypedInput
            key={name}
            kind={farmParts[name]}
            label={settingWords.game[name]}
            text={textOf(game, draft.value, name)}
            error={wrongWith(name, draft.value[name])}
            shownOf={(value) => (settingWords.values as Readonly<Record<string, string>>)[value] ?? value}
            onText={(text) => {
              draft.value = { ...draft.peek(), [name]: text };
            }}
          />
        ))}
      </div>
      <Button kind="main" type="submit" icon="sprout" isBusy={isUnderWay.value}>
        {says.make}
      </Button>
    </form>
  );
}
