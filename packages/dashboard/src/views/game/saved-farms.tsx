import type { Operation, SavedFarm } from '@steward/client';
import { farm } from '../../farm/farms.ts';
import { can, may } from '../../may.ts';
import { Card, Pill } from '../../parts/card.tsx';
import { DeedButton } from '../../parts/deed-button.tsx';
import { useLater } from '../../parts/later.ts';
import { Empty, Loaded } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { When } from '../../parts/time.tsx';
import { homeWords, gameWords as says, words } from '../../words.ts';
import { AskBefore, freshBefore, toldOf } from './before.tsx';

/** Which farms the game has, and the way from one to another. */
export function SavedFarms() {
  const store = farm.value;
  const mayLoad = may(store.caller.value, 'loadFarm') && can(store.status.value, 'loadFarm');
  return (
    <Card title={says.farms} icon="farm">
      <Course />
      <Loaded shown={store.read('listFarms').value} lines={4} onRetry={() => store.makeOld('listFarms')}>
        {({ farms }) => (
          <Table
            caption={says.farms}
            rows={farms}
            keyOf={({ id }) => id}
            empty={
              <Empty icon="farm" title={says.none}>
                {says.noneText}
              </Empty>
            }
            columns={[
              {
                title: says.farm,
                cell: ({ farmName, isLoaded }) => (
                  <>
                    <bdi>{farmName}</bdi> {isLoaded && <Pill kind="good">{says.loaded}</Pill>}
                  </>
                ),
              },
              { title: says.farmer, cell: ({ farmer }) => <bdi>{farmer ?? '–'}</bdi> },
              { title: says.day, cell: dayOf },
              {
                title: says.played,
                cell: ({ lastPlayedAt }) =>
                  lastPlayedAt === undefined ? words.page.unknown : <When at={lastPlayedAt} />,
              },
              ...(mayLoad ? [{ title: says.deeds, isDeeds: true, cell: Load }] : []),
            ]}
          />
        )}
      </Loaded>
    </Card>
  );
}

function dayOf({ season, day, year }: SavedFarm): string {
  const isKnown = season !== undefined && day !== undefined && year !== undefined;
  return isKnown ? homeWords.date(words.seasons[season], day, year) : words.page.unknown;
}

function Load({ id, farmName, isLoaded }: SavedFarm) {
  if (isLoaded) return null;
  const store = farm.value;
  const before = freshBefore();
  return (
    <DeedButton
      aria-label={says.loadOf(farmName)}
      deed={{
        question: {
          title: says.sureLoad(farmName),
          text: <AskBefore before={before} />,
          verb: says.load,
        },
        run: (options) => store.client.loadFarm({ id, ...toldOf(before) }, options),
        became: () => 'underWay',
        says: () => says.later,
        onDone: () => store.makeOld('listOperations'),
      }}
    >
      {says.load}
    </DeedButton>
  );
}

/** The last change from one farm to another, while it goes on and where it came to nothing. */
function Course() {
  const store = farm.value;
  useLater(store, 'listOperations');
  const operations = store.read('listOperations').value.value?.operations ?? [];
  const last = operations.find(({ command }) => command === 'createFarm' || command === 'changeFarm');
  if (last === undefined || last.state === 'applied') return null;
  const { state, step, why, refusal } = last;
  const isOver = state === 'void' || state === 'refused' || state === 'unknown';
  return (
    <div class="course" role="status">
      <Pill kind={isOver ? 'bad' : 'wait'}>{isOver ? says.ends[state] : says.underWay}</Pill>
      <p class="faint">{refusal?.message ?? why ?? stepOf(step)}</p>
    </div>
  );
}

function stepOf(step: Operation['step']): string | undefined {
  return step === undefined ? undefined : (says.steps[step] ?? step);
}
