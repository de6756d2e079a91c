import { useSignal } from '@preact/signals';
import type { GameLog } from '@steward/client';
import { useEffect } from 'preact/hooks';
import { farm } from '../../farm/farms.ts';
import { may } from '../../may.ts';
import { Button } from '../../parts/button.tsx';
import { Card, ViewHead } from '../../parts/card.tsx';
import { outcomeOf } from '../../parts/deed.ts';
import { Offered } from '../../parts/deed-button.tsx';
import { once } from '../../parts/once.ts';
import { Empty, Loaded } from '../../parts/states.tsx';
import { toast } from '../../parts/toasts.tsx';
import { gameWords as says, words } from '../../words.ts';
import { MakeFarm } from './make-farm.tsx';
import { SavedFarms } from './saved-farms.tsx';
import './game.css';

/** The game itself: its farms, what it shows, and what it prints. */
export function GameView() {
  const { caller } = farm.value;
  return (
    <>
      <ViewHead title={words.views.game} />
      <div class="column">
        <SavedFarms />
        <div class="columns">
          <Picture />
          {may(caller.value, 'createFarm') && <MakeFarm />}
        </div>
        {may(caller.value, 'getGameLog') && <Log />}
      </div>
    </>
  );
}

/** It is asked for by hand alone: the game does nothing else while it draws one. */
function Picture() {
  const { client, status } = farm.value;
  const url = useSignal<string | undefined>(undefined);
  const isUnderWay = useSignal(false);
  const forget = () => {
    if (url.peek() !== undefined) URL.revokeObjectURL(url.peek() ?? '');
  };
  useEffect(() => forget, []);
  const take = async () => {
    isUnderWay.value = true;
    try {
      // The client has read the whole of it, to a limit and in the time of the call.
      const bytes = await new Response(await client.getScreenshot()).arrayBuffer();
      forget();
      // Whatever it is, the browser takes it for a picture and nothing else.
      url.value = URL.createObjectURL(new Blob([bytes], { type: 'image/png' }));
    } catch (error) {
      toast(outcomeOf(error));
    }
    isUnderWay.value = false;
  };
  return (
    <Card title={says.picture} icon="page">
      <div class="picture">
        {url.value === undefined ? (
          <p class="faint">{says.pictureText}</p>
        ) : (
          <img src={url.value} alt={says.pictureOf(status.value?.farmName ?? '')} />
        )}
      </div>
      <Offered does="getScreenshot">
        <Button isBusy={isUnderWay.value} onClick={take}>
          {says.look}
        </Button>
      </Offered>
    </Card>
  );
}

function Log() {
  const store = farm.value;
  const look = () => store.makeOld('getGameLog');
  return (
    <Card title={says.log} icon="audit">
      <Loaded shown={store.read('getGameLog').value} lines={6} onRetry={look}>
        {({ lines }) =>
          lines.length === 0 ? (
            <Empty icon="audit" title={says.logNone} />
          ) : (
            <>
              <p class="faint">{says.logText}</p>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls it by keys */}
              <section class="game-log" tabIndex={0} aria-label={says.logWhole}>
                <pre>{lines.map(written).join('\n')}</pre>
              </section>
              <Button onClick={look}>{says.again}</Button>
            </>
          )
        }
      </Loaded>
    </Card>
  );
}

const clock = once(() => new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' }));

/** A line of it, with the viewer’s clock. */
function written({ at, text }: GameLog['lines'][number]): string {
  return `${clock().format(new Date(at))} ${text}`;
}
