import { facts, farm, ownOrigin, setKey } from '../../farm/farms.ts';
import { isOnDevice } from '../../key.ts';
import { Button } from '../../parts/button.tsx';
import { Card, ViewHead } from '../../parts/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Empty } from '../../parts/states.tsx';
import { When } from '../../parts/time.tsx';
import { pageWords as says, words } from '../../words.ts';

/** Which server this is, who one is to it, and the key. */
export function ThisPage() {
  const { origin, key, caller, link } = farm.value;
  const who = caller.value;
  const known: readonly (readonly [string, string])[] = [
    [says.address, origin],
    ...(origin === ownOrigin ? [[says.version, facts.version] as const] : []),
  ];
  return (
    <>
      <ViewHead title={words.views.page} />
      <div class="columns">
        <Card title={says.farm} icon="signpost">
          <Facts
            rows={[
              ...known,
              [says.caller, who === undefined ? words.page.unknown : nameOf(who.name)],
              [says.scopes, who?.scopes.join(', ') || words.page.none],
              ...(who?.expiresAt === undefined
                ? []
                : [[says.expires, <When key="at" at={who.expiresAt} as="date" />] as const]),
              [says.link, link.value.is === 'live' ? words.link.live : words.link.connecting],
            ]}
          />
        </Card>
        <Card title={says.keyTitle} icon="key">
          {key === undefined ? (
            <Empty icon="key" title={says.keyNone} />
          ) : (
            <>
              <p>{isOnDevice(origin) ? says.keyDevice : says.keyTab}</p>
              <div class="buttons">
                <Button onClick={() => setKey(origin, undefined)}>{says.forget}</Button>
              </div>
            </>
          )}
        </Card>
      </div>
    </>
  );
}

function nameOf(name: string): string {
  if (name === 'owner') return says.owner;
  return name === 'open' ? says.open : name;
}
