import type { WebhookStanding } from '@steward/client';
import { farm } from '../../farm/farms.ts';
import { Card, Pill, ViewHead } from '../../parts/card.tsx';
import { DeedButton } from '../../parts/deed-button.tsx';
import { Facts } from '../../parts/facts.tsx';
import { useLater } from '../../parts/later.ts';
import { Empty, Loaded } from '../../parts/states.tsx';
import { When } from '../../parts/time.tsx';
import { webhookWords as says, words } from '../../words.ts';
import { DeliveriesCard } from './deliveries.tsx';
import { MakeWebhook } from './make-webhook.tsx';
import './webhooks.css';

/** Who is told of what happens, how that goes, and what was delivered. */
export function WebhooksView() {
  const store = farm.value;
  useLater(store, 'listWebhooks', 'listDeliveries');
  return (
    <>
      <ViewHead title={words.views.webhooks} />
      <div class="column">
        <Loaded
          shown={store.read('listWebhooks').value}
          lines={8}
          onRetry={() => store.makeOld('listWebhooks')}
        >
          {({ webhooks }) =>
            webhooks.length === 0 ? (
              <Card title={says.title} icon="bell">
                <Empty icon="bell" title={says.none}>
                  {says.noneText}
                </Empty>
              </Card>
            ) : (
              <div class="columns">
                {webhooks.map((webhook) => (
                  <Webhook key={webhook.id} webhook={webhook} />
                ))}
              </div>
            )
          }
        </Loaded>
        <MakeWebhook />
        <DeliveriesCard />
      </div>
    </>
  );
}

function Webhook({ webhook }: { webhook: WebhookStanding }) {
  const store = farm.value;
  const { id, name, state, template, topics, identities, host, urlEndsWith } = webhook;
  const { failingSince, reason, nextTryAt, lastDeliveryAt, lag } = webhook;
  const isOff = state === 'off';
  const isWell = failingSince === undefined && !isOff;
  const look = () => store.makeOld('listWebhooks', 'listDeliveries');
  return (
    <Card
      title={name}
      icon="bell"
      class="webhook"
      aside={
        <Pill kind={isWell ? 'good' : isOff ? 'off' : 'bad'}>
          {isOff ? says.off : isWell ? says.active : says.failing}
        </Pill>
      }
    >
      {reason !== undefined && (
        <p class="webhook-reason">
          {reason}
          {nextTryAt !== undefined && (
            <span class="faint">
              {' '}
              {says.nextTry} <When at={nextTryAt} as="clock" />
            </span>
          )}
        </p>
      )}
      <Facts
        rows={[
          [says.to, `${template}, ${host} …${urlEndsWith}`],
          [says.topics, topics.join(', ')],
          ...(identities ? [[says.identities, says.told] as const] : []),
          [says.last, lastDeliveryAt === undefined ? says.never : <When key="last" at={lastDeliveryAt} />],
          ...(lag > 0 ? [[says.lag, says.lagOf(lag)] as const] : []),
        ]}
      />
      <div class="buttons">
        <DeedButton
          deed={{
            run: (options) => store.client.testWebhook({ id }, options),
            became: ({ test }) => (test.delivered ? 'done' : 'failed'),
            says: ({ test }) =>
              test.delivered ? says.testDone(test.status) : says.testFailed(test.reason ?? ''),
            onDone: look,
          }}
        >
          {says.test}
        </DeedButton>
        {isOff && (
          <DeedButton
            kind="main"
            deed={{ run: (options) => store.client.resumeWebhook({ id }, options), onDone: look }}
          >
            {says.resume}
          </DeedButton>
        )}
        <DeedButton
          deed={{
            question: {
              title: says.sureDelete(name),
              text: says.deleteText,
              verb: says.delete,
              isDangerous: true,
            },
            run: (options) => store.client.deleteWebhook({ id }, options),
            onDone: look,
          }}
        >
          {says.delete}
        </DeedButton>
      </div>
    </Card>
  );
}
