import type { Delivery } from '@steward/client';
import { farm } from '../../farm/farms.ts';
import { Card, Pill } from '../../parts/card.tsx';
import { useOlder } from '../../parts/older.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { When } from '../../parts/time.tsx';
import { webhookWords as says } from '../../words.ts';

const most = 20;
const asked = { limit: most } as const;

/** What was delivered, and what was given up, the newest first. */
export function DeliveriesCard() {
  const store = farm.value;
  const { value, error } = store.read('listDeliveries', asked).value;
  const { rows, button } = useOlder<Delivery>(value?.deliveries, {
    most,
    idOf: ({ number }) => String(number),
    ask: async ({ number }) => (await store.client.listDeliveries({ ...asked, before: number })).deliveries,
  });
  return (
    <Card title={says.deliveries} icon="operations">
      <Loaded shown={{ value: rows, error }} lines={4} onRetry={() => store.makeOld('listDeliveries')}>
        {(all) => (
          <Table
            caption={says.deliveries}
            rows={all}
            keyOf={({ number }) => String(number)}
            empty={<Empty icon="bell" title={says.noDelivery} />}
            columns={[
              { title: says.when, cell: ({ at }) => <When at={at} as="date" /> },
              { title: says.name, cell: ({ webhookName }) => <bdi>{webhookName}</bdi> },
              { title: says.event, cell: ({ type }) => <code>{type}</code> },
              {
                title: says.outcome,
                cell: ({ outcome, status, tries, reason }) => (
                  <>
                    <Pill kind={outcome === 'delivered' ? 'good' : 'bad'}>{says.outcomes[outcome]}</Pill>{' '}
                    <span class="faint">{says.tries(tries, status)}</span>
                    {reason !== undefined && <p class="faint">{reason}</p>}
                  </>
                ),
              },
            ]}
          />
        )}
      </Loaded>
      {button}
    </Card>
  );
}
