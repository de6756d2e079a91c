import { signal } from '@preact/signals';
import type { Status } from '@steward/client';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { farm } from '../../farm/farms.ts';
import { Pill } from '../../parts/card.tsx';
import { Trouble } from '../../parts/states.tsx';
import { homeWords as says, words } from '../../words.ts';
import { Codes } from './codes.tsx';
import { type FarmState, farmState, timeOfDay } from './farm-state.ts';
import { below, loadBelow } from './load-below.ts';
import { WhoIsHere } from './people.tsx';

const kindOf: Readonly<Record<FarmState, 'good' | 'wait' | 'bad' | 'off'>> = {
  open: 'good',
  paused: 'good',
  saving: 'wait',
  starting: 'wait',
  draining: 'wait',
  stopped: 'off',
  closed: 'bad',
  'no-game': 'bad',
};

const Horizon = below('Horizon', '0');
const LastEvents = below('LastEvents', '34rem');
const Closing = below('Closing', '9rem');
const ForEverybody = below('ForEverybody', '0');
const OnPhone = below('OnPhone', '16rem');
/** Tries again by itself. */
const LateTroubles = below('Troubles', '0');

/** Asked for with the state that may need it, so that nothing has to make room for it later. */
const troubles = signal<ComponentType<{ status: Status }> | undefined>(undefined);

/** The farm now: what most people come for. */
export function Home() {
  const store = farm.value;
  const { value: status, error } = store.read('getStatus').value;
  useEffect(() => {
    loadBelow().then(
      ({ Troubles }) => {
        troubles.value = Troubles;
      },
      () => {
        troubles.value = LateTroubles;
      },
    );
  }, []);
  const Troubles = troubles.value;
  const hasTrouble = status !== undefined && status.obstacles.length > 0;
  return (
    <>
      <Sign status={status} isLost={error !== undefined} />
      {status === undefined && error !== undefined && (
        <Trouble error={error} onRetry={() => store.makeOld('getStatus')} />
      )}
      {hasTrouble && Troubles !== undefined && <Troubles status={status} />}
      {status?.draining !== undefined && <Closing draining={status.draining} />}
      {status !== undefined && (!hasTrouble || Troubles !== undefined) && (
        <div class="columns home">
          <div class="column">
            <WhoIsHere most={status.maxPlayers} />
            <LastEvents />
          </div>
          <div class="column">
            <Codes status={status} />
            <OnPhone />
            <ForEverybody isClosing={status.draining !== undefined} />
          </div>
        </div>
      )}
    </>
  );
}

function Sign({ status, isLost }: { status: Status | undefined; isLost: boolean }) {
  const state = status && farmState(status);
  const hasDate = status !== undefined && status.day > 0;
  return (
    <section
      class="sign"
      aria-labelledby="farm-name"
      aria-busy={(status === undefined && !isLost) || undefined}
    >
      <Horizon season={status?.season ?? ''} time={hasDate ? status.timeOfDay : undefined} />
      <div class="sign-board">
        <div>
          <h1 id="farm-name" tabIndex={-1}>
            {status === undefined
              ? isLost
                ? words.views.home
                : words.page.loading
              : status.farmName || says.noFarm}
          </h1>
          <p class="sign-date">
            {hasDate && (
              <>
                <span>{says.date(words.seasons[status.season], status.day, status.year)}</span>
                <span class="sign-time">{timeOfDay(status.timeOfDay)}</span>
              </>
            )}
          </p>
        </div>
        <div class="sign-state" role="status">
          {state !== undefined && (
            <>
              <Pill kind={kindOf[state]}>{says.states[state]}</Pill>
              <p>{says.statesText[state]}</p>
            </>
          )}
        </div>
      </div>
    </section>
  );
}
