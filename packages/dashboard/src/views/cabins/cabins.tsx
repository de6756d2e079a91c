import { farm } from '../../farm/farms.ts';
import { Card, Pill, ViewHead } from '../../parts/card.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { cabinWords as says, words } from '../../words.ts';
import { type Cabin, cabinName, placed } from './farm-map.ts';
import { FarmMap } from './farm-map-drawn.tsx';
import './cabins.css';

/** Where each cabin stands, whose it is, and which are free. */
export function CabinsView() {
  const store = farm.value;
  return (
    <>
      <ViewHead title={words.views.cabins} />
      <Loaded shown={store.read('listCabins').value} lines={10} onRetry={() => store.makeOld('listCabins')}>
        {({ cabins, strategy, assignedCount, availableCount }) =>
          cabins.length === 0 ? (
            <Card title={says.map} icon="cabins">
              <Empty icon="cabins" title={says.none}>
                {says.noneText}
              </Empty>
            </Card>
          ) : (
            <div class="columns cabins">
              <Card title={says.map} icon="cabins">
                <FarmMap cabins={cabins} />
                <p class="faint">{says.strategies[strategy]}</p>
              </Card>
              <Card
                title={says.list}
                icon="players"
                aside={<span class="count">{says.counts(assignedCount, availableCount)}</span>}
              >
                <Table
                  caption={says.list}
                  rows={cabins}
                  keyOf={(cabin) => `${cabin.ownerIdStr} ${cabin.tileX} ${cabin.tileY}`}
                  empty={null}
                  columns={[
                    { title: says.number, cell: (cabin) => <b>{cabins.indexOf(cabin) + 1}</b> },
                    { title: says.owner, cell: (cabin) => <bdi>{cabinName(cabin)}</bdi> },
                    { title: says.place, cell: placeOf },
                    {
                      title: says.state,
                      cell: ({ isAssigned }) => (
                        <Pill kind={isAssigned ? 'good' : 'off'}>{isAssigned ? says.taken : says.free}</Pill>
                      ),
                    },
                  ]}
                />
              </Card>
            </div>
          )
        }
      </Loaded>
    </>
  );
}

function placeOf(cabin: Cabin): string {
  return placed(cabin) ? says.at(cabin.tileX, cabin.tileY) : says.types[cabin.type];
}
