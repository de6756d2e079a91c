import { useSignal } from '@preact/signals';
import type { Key } from '@steward/client';
import { farm } from '../../farm/farms.ts';
import { Card, Pill, ViewHead } from '../../parts/card.tsx';
import { DeedButton } from '../../parts/deed-button.tsx';
import { Box } from '../../parts/field.tsx';
import { showSecret } from '../../parts/secret.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { When } from '../../parts/time.tsx';
import { keysWords as says, words } from '../../words.ts';
import { MakeKey } from './make-key.tsx';

/** The keys beside `API_KEY`: made, changed and ended. */
export function KeysView() {
  const store = farm.value;
  const withEnded = useSignal(false);
  const asked = withEnded.value ? { ended: true } : {};
  return (
    <>
      <ViewHead title={words.views.keys} />
      <div class="column">
        <Card title={says.title} icon="key">
          <Loaded
            shown={store.read('listKeys', asked).value}
            lines={6}
            onRetry={() => store.makeOld('listKeys')}
          >
            {({ keys }) => (
              <Table
                caption={says.title}
                rows={keys}
                keyOf={({ id }) => id}
                empty={
                  <Empty icon="key" title={says.none}>
                    {says.noneText}
                  </Empty>
                }
                columns={[
                  {
                    title: says.name,
                    cell: ({ name }) => (
                      <b>
                        <bdi>{name}</bdi>
                      </b>
                    ),
                  },
                  { title: says.scopes, cell: ({ scopes }) => scopes.join(', ') },
                  { title: says.used, cell: usedOf },
                  { title: says.ends, cell: endOf },
                  {
                    title: says.deeds,
                    isDeeds: true,
                    cell: (key) => key.state === 'active' && <KeyDeeds of={key} />,
                  },
                ]}
              />
            )}
          </Loaded>
          <Box
            label={says.withEnded}
            isOn={withEnded.value}
            onChange={(isOn) => {
              withEnded.value = isOn;
            }}
          />
        </Card>
        <MakeKey />
      </div>
    </>
  );
}

function KeyDeeds({ of: { id, name } }: { of: Key }) {
  const { client } = farm.value;
  return (
    <>
      <DeedButton
        aria-label={says.rotateOf(name)}
        deed={{
          question: { title: says.sureRotate(name), text: says.rotateText, verb: says.rotate },
          run: (options) => client.rotateKey({ id }, options),
          onDone: (answer) => showSecret(says.secret(name), says.secretText, says.secretLost, answer),
        }}
      >
        {says.rotate}
      </DeedButton>
      <DeedButton
        aria-label={says.revokeOf(name)}
        deed={{
          question: {
            title: says.sureRevoke(name),
            text: says.revokeText,
            verb: says.revoke,
            isDangerous: true,
          },
          run: (options) => client.revokeKey({ id }, options),
        }}
      >
        {says.revoke}
      </DeedButton>
    </>
  );
}

function usedOf({ lastUsedAt }: Key) {
  return lastUsedAt === undefined ? <span class="faint">{says.never}</span> : <When at={lastUsedAt} />;
}

function endOf({ state, expiresAt, endedAt, oldSecretUntil }: Key) {
  if (state !== 'active')
    return (
      <>
        <Pill kind="off">{says.states[state]}</Pill> {endedAt !== undefined && <When at={endedAt} />}
      </>
    );
  return (
    <>
      {expiresAt === undefined ? <span class="faint">{says.never}</span> : <When at={expiresAt} as="date" />}
      {oldSecretUntil !== undefined && (
        <span class="faint">
          {' '}
          {says.oldUntil} <When at={oldSecretUntil} as="date" />
        </span>
      )}
    </>
  );
}
