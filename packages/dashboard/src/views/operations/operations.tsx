import type { Operation } from '@steward/client';
import { farm } from '../../farm/farms.ts';
import { Card, Pill, ViewHead } from '../../parts/card.tsx';
import { useLater } from '../../parts/later.ts';
import { useOlder } from '../../parts/older.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { When } from '../../parts/time.tsx';
import { operationWords as says, words } from '../../words.ts';

const most = 50;
const asked = { limit: most } as const;
const kinds = {
  pending: 'wait',
  claimed: 'wait',
  unknown: 'wait',
  applied: 'good',
  refused: 'bad',
  void: 'off',
} as const;

/** What the game and this server were asked to do, and what became of each. */
export function OperationsView() {
  const store = farm.value;
  useLater(store, 'listOperations');
  const { value, error } = store.read('listOperations', asked).value;
  const { rows, button } = useOlder<Operation>(value?.operations, {
    most,
    idOf: ({ operationId }) => operationId,
    ask: async ({ operationId: before }) =>
      (await store.client.listOperations({ ...asked, before })).operations,
  });
  return (
    <>
      <ViewHead title={words.views.operations} />
      <Card title={says.title} icon="operations">
        <Loaded shown={{ value: rows, error }} lines={10} onRetry={() => store.makeOld('listOperations')}>
          {(all) => (
            <Table
              caption={says.title}
              rows={all}
              keyOf={({ operationId }) => operationId}
              empty={
                <Empty icon="operations" title={says.none}>
                  {says.noneText}
                </Empty>
              }
              columns={[
                { title: says.when, cell: ({ createdAt }) => <When at={createdAt} as="date" /> },
                {
                  title: says.what,
                  cell: (operation) => {
                    const { command, operationId } = operation;
                    const name = nameOf(operation);
                    return (
                      <>
                        {(says.commands as Readonly<Record<string, string>>)[command] ?? command}
                        {name !== undefined && (
                          <>
                            : <bdi>{name}</bdi>
                          </>
                        )}
                        <p class="faint">
                          <code>{operationId}</code>
                        </p>
                      </>
                    );
                  },
                },
                {
                  title: says.outcome,
                  cell: ({ state, step, why, refusal, forGood }) => (
                    <>
                      <Pill kind={kinds[state]}>{forGood ? says.forGood : says.states[state]}</Pill>
                      <p class="faint">{refusal?.message ?? why ?? step}</p>
                    </>
                  ),
                },
                { title: says.became, cell: becameOf },
              ]}
            />
          )}
        </Loaded>
        {button}
      </Card>
    </>
  );
}

/** Whom it was about, or what it made. */
function nameOf({ subject, after = {} }: Operation): string | undefined {
  const { name } = after;
  return subject?.name ?? (typeof name === 'string' ? name : undefined);
}

/** What it changed, from what to what. */
function becameOf({ before = {}, after = {} }: Operation) {
  const changed = Object.keys(before).filter((name) => said(before[name]) !== said(after[name]));
  return (
    <>
      {after['isSaved'] === false && <p>{says.notSaved}</p>}
      {changed.map((name) => (
        <p key={name} class="faint">
          {name}: {said(before[name])} → {said(after[name])}
        </p>
      ))}
    </>
  );
}

function said(value: unknown): string {
  if (value === undefined || value === null) return '–';
  return typeof value === 'object' ? words.page.several : String(value);
}
