import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { farm } from '../../farm/farms.ts';
import { Card, ViewHead } from '../../parts/card.tsx';
import { Choice } from '../../parts/field.tsx';
import { lazy } from '../../parts/lazy.tsx';
import { plotWords as says, words } from '../../words.ts';
import './plots.css';

const Plot = lazy(async () => (await import('./plot.tsx')).Plot, '17rem');

const dayMs = 86_400_000;
/** How far back one looks, and what is put together to a point. */
const stretches = {
  day: { days: 1, step: 'minute' },
  week: { days: 7, step: 'hour' },
  month: { days: 30, step: 'hour' },
  all: { days: 400, step: 'day' },
} as const;

/** A sample is taken each minute, and no event tells of it. */
const sampledMs = 60_000;

const plots = [
  { is: 'players', lines: ['mostPlayers', 'players'] },
  { is: 'ticks', lines: ['ticksPerSecond'] },
  { is: 'memory', lines: ['gameMemoryMb', 'serviceMemoryMb'] },
  { is: 'latency', lines: ['bridgeLatencyMs', 'tickGapMs'] },
] as const;

/** How it went over hours and months. */
export function PlotsView() {
  const store = farm.value;
  const stretch = useSignal<keyof typeof stretches>('day');
  const { days, step } = stretches[stretch.value];
  const asked = useMemo(
    () => ({ from: new Date(Date.now() - days * dayMs).toISOString(), step }),
    [store, days, step],
  );
  useEffect(() => {
    const timer = setInterval(
      () => document.visibilityState === 'visible' && store.makeOld('getSamples'),
      sampledMs,
    );
    return () => clearInterval(timer);
  }, [store]);
  return (
    <>
      <ViewHead title={words.views.plots}>
        <Choice
          label={says.stretch}
          value={stretch.value}
          options={Object.entries(says.stretches)}
          onValue={(value) => {
            stretch.value = value as keyof typeof stretches;
          }}
        />
      </ViewHead>
      <div class="columns plots">
        {plots.map(({ is, lines }) => (
          <Card key={is} title={says.titles[is]} icon="plot">
            <Plot asked={asked} lines={lines} title={says.titles[is]} />
          </Card>
        ))}
      </div>
    </>
  );
}
