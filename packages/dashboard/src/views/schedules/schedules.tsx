import type { Schedule, ScheduleRun } from '@steward/client';
import { farm } from '../../farm/farms.ts';
import { Card, Pill, ViewHead } from '../../parts/card.tsx';
import { DeedButton } from '../../parts/deed-button.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { When } from '../../parts/time.tsx';
import { scheduleWords as says, words } from '../../words.ts';
import { type ParameterName, parametersOf } from './form.ts';
import { MakeSchedule } from './make-schedule.tsx';

const outcomeKinds = { applied: 'good', failed: 'bad', unknown: 'bad', skipped: 'off' } as const;

/** How a run that somebody asked for is told of. */
const became = { applied: 'done', failed: 'failed', unknown: 'unknown', skipped: 'failed' } as const;

/** What is done by itself, when it is due next and how it went, and making one. */
export function SchedulesView() {
  const store = farm.value;
  return (
    <>
      <ViewHead title={words.views.schedules} />
      <div class="column">
        <Loaded
          shown={store.read('listSchedules').value}
          lines={8}
          onRetry={() => store.makeOld('listSchedules')}
        >
          {({ schedules }) =>
            schedules.length === 0 ? (
              <Card title={says.title} icon="calendar">
                <Empty icon="calendar" title={says.none}>
                  {says.noneText}
                </Empty>
              </Card>
            ) : (
              <div class="columns">
                {schedules.map((schedule) => (
                  <OneSchedule key={schedule.id} schedule={schedule} />
                ))}
              </div>
            )
          }
        </Loaded>
        <MakeSchedule />
      </div>
    </>
  );
}

function OneSchedule({ schedule }: { schedule: Schedule }) {
  const store = farm.value;
  const { id, name, action, state, reason, nextRun, lastRun, madeBy, missed } = schedule;
  const look = () => store.makeOld('listSchedules');
  return (
    <Card
      title={name}
      icon="calendar"
      aside={<Pill kind={state === 'active' ? 'good' : 'off'}>{says.states[state]}</Pill>}
    >
      {reason !== undefined && <p>{reason}</p>}
      <p>
        <strong>{says.actions[action]}</strong>
      </p>
      <Facts
        rows={[
          ...parametersShown(schedule),
          [says.when, `${whenOf(schedule)}${missed === 'once' ? `. ${says.late}` : ''}`],
          ...(state === 'off'
            ? []
            : [
                [
                  says.next,
                  nextRun === undefined ? says.onceEmpty : <When key="next" at={nextRun} as="date" />,
                ] as const,
              ]),
          [says.last, lastRun === undefined ? says.never : <Run key="last" run={lastRun} />],
          [says.by, <bdi key="by">{madeBy}</bdi>],
        ]}
      />
      <div class="buttons">
        {state === 'active' && (
          <DeedButton
            aria-label={says.runOf(name)}
            deed={{
              question: { title: says.sureRun(name), text: says.actions[action], verb: says.run },
              run: (options) => store.client.runSchedule({ id }, options),
              became: ({ run: { outcome } }) => (outcome === undefined ? 'underWay' : became[outcome]),
              says: ({ run: { outcome, reason: why }, message }) =>
                outcome === undefined ? message : says.ran(name, why ?? says.outcomes[outcome]),
              onDone: look,
            }}
          >
            {says.run}
          </DeedButton>
        )}
        <DeedButton
          aria-label={says.deleteOf(name)}
          deed={{
            question: {
              title: says.sureDelete(name),
              text: says.deleteText,
              verb: says.delete,
              isDangerous: true,
            },
            run: (options) => store.client.deleteSchedule({ id }, options),
            onDone: look,
          }}
        >
          {says.delete}
        </DeedButton>
      </div>
    </Card>
  );
}

function Run({ run: { at, outcome, reason } }: { run: ScheduleRun }) {
  return (
    <>
      <Pill kind={outcome === undefined ? 'wait' : outcomeKinds[outcome]}>
        {outcome === undefined ? says.runs : says.outcomes[outcome]}
      </Pill>{' '}
      <When at={at} />
      {reason !== undefined && <p class="faint">{reason}</p>}
    </>
  );
}

/** What its action is told, as the form that makes one calls it. */
function parametersShown({ action, parameters }: Schedule): (readonly [string, string])[] {
  const shown = (name: ParameterName) => {
    const value = String(parameters[name]);
    return name === 'when' ? (says.waits[value] ?? value) : value === 'true' ? says.yes : value;
  };
  return parametersOf[action]
    .filter((name) => parameters[name] !== undefined && parameters[name] !== false)
    .map((name) => [says.parameters[name][0], shown(name)]);
}

/** When it is due, in words where there are some. */
function whenOf({ cron = '', timeZone = 'UTC', emptyMinutes }: Schedule): string {
  if (emptyMinutes !== undefined) return says.empty(emptyMinutes);
  return says.byClock(says.ready[cron] ?? cron, timeZone);
}
