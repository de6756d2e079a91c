import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { serverNow } from '../../farm/clock.ts';
import { farm } from '../../farm/farms.ts';
import { Card, ViewHead } from '../../parts/card.tsx';
import { Choice } from '../../parts/field.tsx';
import { lazy } from '../../parts/lazy.tsx';
import { plotWords as says, words } from '../../words.ts';
import './plots.css';

const Plot = lazy(async () => (await import('./plot.tsx')).Plot, '17rem');

const dayMs = 86_400_000;
/** How far back one looks each time, and what is put together to a point. */
const stretches = {
  day: back(1, 'minute'),
  week: back(7, 'hour'),
  month: back(30, 'hour'),
  all: back(400, 'day'),
} as const;

function back(days: number, step: 'minute' | 'hour' | 'day') {
  return () => ({ from: new Date(serverNow() - days * dayMs).toISOString(), step });
}

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
            <Plot asked={stretches[stretch.value]} lines={lines} title={says.titles[is]} />
          </Card>
        ))}
      </div>
    </>
  );
}
