import type { AllowlistRow } from '@steward/client';
import type { ComponentChildren } from 'preact';
import { farm } from '../../farm/farms.ts';
import type { Shown } from '../../farm/reads.ts';
import { Card, Pill, ViewHead } from '../../parts/card.tsx';
import { DeedButton, Offered } from '../../parts/deed-button.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { When } from '../../parts/time.tsx';
import { banWords as says, words } from '../../words.ts';
import { ImportList } from './import-list.tsx';
import { PutOnList } from './put-on-list.tsx';

/** Who is kept out, and who alone comes in. */
export function BansView() {
  return (
    <>
      <ViewHead title={words.views.bans} />
      <div class="column">
        <OneList of="bans" />
        <OneList of="allowlist" />
      </div>
    </>
  );
}

function OneList({ of }: { of: 'bans' | 'allowlist' }) {
  const store = farm.value;
  const isBans = of === 'bans';
  return (
    <Card title={says.lists[of].title} icon={isBans ? 'gate' : 'check'}>
      {isBans ? (
        <Rows
          of={of}
          shown={store.read('listBans').value}
          rowsOf={({ bans }) => bans}
          onRetry={() => store.makeOld('listBans')}
        />
      ) : (
        <Rows
          of={of}
          shown={store.read('listAllowed').value}
          rowsOf={({ allowlist }) => allowlist}
          onRetry={() => store.makeOld('listAllowed')}
        />
      )}
      <Offered does={isBans ? 'addBan' : 'allowPlayer'}>
        <PutOnList of={of} />
        <ImportList of={of} />
      </Offered>
    </Card>
  );
}

interface RowsProps<Lists> {
  readonly of: 'bans' | 'allowlist';
  readonly shown: Shown<Lists>;
  readonly rowsOf: (lists: Lists) => readonly AllowlistRow[];
  readonly onRetry: () => void;
}

function Rows<Lists>({ of, shown, rowsOf, onRetry }: RowsProps<Lists>) {
  const columns: Column<AllowlistRow>[] = [
    { title: says.who, cell: (row) => <Who row={row} /> },
    ...(of === 'bans' ? [{ title: says.why, cell: ({ reason }: AllowlistRow) => reason ?? '–' }] : []),
    { title: says.until, cell: (row) => <Until row={row} /> },
    {
      title: says.since,
      cell: ({ createdAt }) => (createdAt === undefined ? '–' : <When at={createdAt} as="date" />),
    },
    { title: says.deeds, isDeeds: true, cell: (row) => <Lift of={of} row={row} /> },
  ];
  return (
    <Loaded shown={shown} onRetry={onRetry}>
      {(lists) => (
        <Table
          caption={says.lists[of].title}
          columns={columns}
          rows={rowsOf(lists)}
          keyOf={({ id }) => id}
          empty={
            <Empty icon="players" title={says.lists[of].none}>
              {says.lists[of].noneText}
            </Empty>
          }
        />
      )}
    </Loaded>
  );
}

function Who({ row }: { row: AllowlistRow }): ComponentChildren {
  const name = <bdi>{nameOf(row)}</bdi>;
  return row.playerIdStr === undefined ? name : <a href={`/players/${row.playerIdStr}`}>{name}</a>;
}

function nameOf({ playerName, playerIdStr, address, identity = '' }: AllowlistRow): string {
  return playerName ?? playerIdStr ?? address ?? says.identity(identity);
}

function Until({ row: { until, isOver } }: { row: AllowlistRow }) {
  return (
    <>
      {until === undefined ? says.never : <When at={until} as="date" />}{' '}
      {isOver && <Pill kind="off">{says.over}</Pill>}
    </>
  );
}

function Lift({ of, row }: { of: 'bans' | 'allowlist'; row: AllowlistRow }) {
  const { client } = farm.value;
  const { lift, liftOf, sure, text } = says.lists[of];
  const { id } = row;
  const does = of === 'bans' ? 'removeBan' : 'disallowPlayer';
  return (
    <Offered does={does}>
      <DeedButton
        aria-label={liftOf(nameOf(row))}
        deed={{
          question: { title: sure(nameOf(row)), text, verb: lift },
          run: (options) => client[does]({ id }, options),
        }}
      >
        {lift}
      </DeedButton>
    </Offered>
  );
}
