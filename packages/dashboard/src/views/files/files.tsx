import type { Event, Status } from '@steward/client';
import type { ComponentChildren } from 'preact';
import { farm } from '../../farm/farms.ts';
import { Card, Pill, ViewHead } from '../../parts/card.tsx';
import { useEvents } from '../../parts/events.ts';
import { Icon } from '../../parts/icon.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { When } from '../../parts/time.tsx';
import { fileWords as says, words } from '../../words.ts';
import './files.css';

const asked = { limit: 50, topics: 'sidecar' } as const;
const isOfSidecar = ({ type }: Event) => type.startsWith('sidecar.');

type SidecarEvent = Extract<Event, { type: `sidecar.${string}` }>;

const stepKinds = {
  off: 'off',
  waiting: 'wait',
  working: 'wait',
  ok: 'good',
  failed: 'bad',
  lost: 'bad',
} as const;

/** How it stands with the platform’s account and with the game’s files, as the sidecar tells it. */
export function FilesView() {
  const store = farm.value;
  const { value, error } = useEvents(store, asked, isOfSidecar);
  const events = { value: value?.filter(isSidecarEvent).toReversed(), error };
  return (
    <>
      <ViewHead title={words.views.files} />
      <Loaded shown={store.read('getStatus').value} lines={8} onRetry={() => store.makeOld('getStatus')}>
        {(status) => (
          <div class="columns">
            <Session status={status} />
            <Loaded shown={events} lines={8} onRetry={() => store.makeOld('getEvents')}>
              {(told) => (
                <div class="column">
                  <Files status={status} told={told} />
                  <Card title={says.happened} icon="operations" class="files-told">
                    {told.length === 0 ? (
                      <Empty icon="operations" title={says.nothing}>
                        {says.nothingText}
                      </Empty>
                    ) : (
                      <ol>
                        {told.map((event) => (
                          <Told key={event.cursor} event={event} />
                        ))}
                      </ol>
                    )}
                  </Card>
                </div>
              )}
            </Loaded>
          </div>
        )}
      </Loaded>
    </>
  );
}

function Session({ status: { inviteWay } }: { status: Status }) {
  const steps = inviteWay.filter(({ step }) => step === 'sidecar' || step === 'login');
  return (
    <Card title={says.session} icon="key">
      {steps.length === 0 || steps.every(({ state }) => state === 'off') ? (
        <Empty icon="off" title={says.noSidecar}>
          {says.noSidecarText}
        </Empty>
      ) : (
        <ul class="files-steps">
          {steps.map(({ step, state, reason, remedy, since, nextRetry }) => (
            <li key={step}>
              <p class="files-step">
                <b>{says.steps[step as keyof typeof says.steps]}</b>
                <Pill kind={stepKinds[state]}>{says.stepStates[state]}</Pill>
              </p>
              <Why reason={reason} remedy={remedy}>
                {since !== undefined && (
                  <>
                    {says.since} <When at={since} />
                  </>
                )}
                {nextRetry !== undefined && (
                  <>
                    {' '}
                    {says.nextTry} <When at={nextRetry} as="clock" />
                  </>
                )}
              </Why>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** Whether there is another build is known of whole files alone; of others, what was told last. */
function Files({ status: { gameUpdate }, told }: { status: Status; told: readonly SidecarEvent[] }) {
  const last = told.find((event) => event.type === 'sidecar.download');
  const state = gameUpdate === undefined ? last?.data.state : 'whole';
  return (
    <Card title={says.files} icon="down">
      {state === undefined ? (
        <Empty icon="off" title={says.noFiles}>
          {says.noFilesText}
        </Empty>
      ) : (
        <>
          <p class="files-step">
            <b>{says.installed}</b>
            <Pill kind={state === 'whole' ? 'good' : state === 'missing' ? 'bad' : 'wait'}>
              {says.states[state]}
            </Pill>
          </p>
          {state === 'downloading' && <progress aria-label={says.states.downloading} />}
          {state !== 'whole' && <Why reason={last?.data.reason} remedy={last?.data.remedy} />}
          {gameUpdate !== undefined && (
            <div class="files-update">
              <p class="files-step">
                <b>{says.update}</b>
                <Pill kind={gameUpdate.state === 'current' ? 'good' : 'wait'}>
                  {says.updates[gameUpdate.state]}
                </Pill>
              </p>
              <Why reason={gameUpdate.reason} remedy={gameUpdate.remedy}>
                {gameUpdate.checkedAt !== undefined && (
                  <>
                    {says.checked} <When at={gameUpdate.checkedAt} />
                  </>
                )}
              </Why>
            </div>
          )}
        </>
      )}
    </Card>
  );
}

function Told({ event }: { event: SidecarEvent }) {
  const { data, at } = event;
  const [of, state] =
    event.type === 'sidecar.session'
      ? [says.session, says.sessions[event.data.state]]
      : [says.files, event.data.isOutdated ? says.updates.available : says.states[event.data.state]];
  return (
    <li>
      <p class="files-step">
        <span>
          {of}: <b>{state}</b>
        </span>
        <span class="faint">
          <When at={at} />
        </span>
      </p>
      <Why reason={data.reason} remedy={data.remedy} />
    </li>
  );
}

interface WhyProps {
  readonly reason?: string | undefined;
  readonly remedy?: string | undefined;
  readonly children?: ComponentChildren;
}

function Why({ reason, remedy, children }: WhyProps) {
  return (
    <>
      {reason !== undefined && <p class="files-reason">{reason}</p>}
      {remedy !== undefined && (
        <p class="files-remedy">
          <Icon name="sprout" size={20} /> {remedy}
        </p>
      )}
      {children !== undefined && <p class="faint">{children}</p>}
    </>
  );
}

function isSidecarEvent(event: Event): event is SidecarEvent {
  return event.type === 'sidecar.session' || event.type === 'sidecar.download';
}
