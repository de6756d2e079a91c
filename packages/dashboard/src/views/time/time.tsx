import { useSignal } from '@preact/signals';
import { farm } from '../../farm/farms.ts';
import { Button } from '../../parts/button.tsx';
import { Card, Pill, ViewHead } from '../../parts/card.tsx';
import { useDeed } from '../../parts/deed.ts';
import { DeedButton, Offered } from '../../parts/deed-button.tsx';
import { Field } from '../../parts/field.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { emptying } from '../../parts/typed.ts';
import { homeWords, timeWords as says, words } from '../../words.ts';
import { timeOfDay } from '../home/farm-state.ts';
import { lastStep, stepAt, timeAt } from './steps.ts';
import './time.css';

/** What the farm’s clock says, how often its picture is drawn, and both as one wants them. */
export function TimeView() {
  return (
    <>
      <ViewHead title={words.views.time} />
      <div class="columns">
        <TimeOfDay />
        <Rendering />
      </div>
    </>
  );
}

function TimeOfDay() {
  const store = farm.value;
  const chosen = useSignal<number | undefined>(undefined);
  const shown = store.read('getTime').value;
  return (
    <Card title={says.time} icon="clock">
      <Loaded shown={shown} lines={5} onRetry={() => store.makeOld('getTime')}>
        {(now) => {
          if (now.day === 0) return <Empty icon="farm" title={homeWords.noFarm} />;
          const step = chosen.value ?? stepAt(now.timeOfDay);
          const value = timeAt(step);
          const said = timeOfDay(value);
          return (
            <>
              <p class="big-clock">
                {timeOfDay(now.timeOfDay)}
                {now.isPaused && <Pill kind="wait">{homeWords.states.paused}</Pill>}
              </p>
              <p class="faint">{homeWords.date(words.seasons[now.season], now.day, now.year)}</p>
              <Offered does="setTime">
                <div class="day">
                  <input
                    type="range"
                    aria-label={says.wanted}
                    aria-valuetext={said}
                    min={0}
                    max={lastStep}
                    value={step}
                    onInput={({ currentTarget }) => {
                      chosen.value = Number(currentTarget.value);
                    }}
                  />
                  <p class="day-ends faint" aria-hidden="true">
                    <span>{timeOfDay(timeAt(0))}</span>
                    <span>{timeOfDay(timeAt(lastStep))}</span>
                  </p>
                </div>
                <div class="buttons">
                  <DeedButton
                    kind="main"
                    deed={{
                      ...(step === lastStep
                        ? { question: { title: says.sureEnd, text: says.endText, verb: says.set(said) } }
                        : {}),
                      run: (options) => store.client.setTime({ value }, options),
                      onDone: () => {
                        chosen.value = undefined;
                      },
                    }}
                  >
                    {says.set(said)}
                  </DeedButton>
                </div>
              </Offered>
            </>
          );
        }}
      </Loaded>
    </Card>
  );
}

/** Nobody needs the picture to play; a screenshot and a look over VNC do. */
const usualRates = [0, 5, 30, 60] as const;

function Rendering() {
  const store = farm.value;
  const shown = store.read('getRendering').value;
  return (
    <Card title={says.rendering} icon="farm">
      <Loaded shown={shown} lines={5} onRetry={() => store.makeOld('getRendering')}>
        {({ fps }) => (
          <>
            <p class="big-clock">{says.rate(fps)}</p>
            <p class="faint">{says.renderingText}</p>
            <Offered does="setRendering">
              <fieldset class="rates" aria-label={says.rendering}>
                {usualRates.map((rate) => (
                  <DeedButton
                    key={rate}
                    aria-pressed={rate === fps}
                    deed={{ run: (options) => store.client.setRendering({ fps: rate }, options) }}
                  >
                    {says.rateShort(rate)}
                  </DeedButton>
                ))}
              </fieldset>
              <OtherRate />
            </Offered>
          </>
        )}
      </Loaded>
    </Card>
  );
}

function OtherRate() {
  const { client } = farm.value;
  const typed = useSignal('');
  const error = useSignal<string | undefined>(undefined);
  const { isUnderWay, start } = useDeed();
  const draw = (event: Event) => {
    event.preventDefault();
    error.value = /^\d{1,9}$/.test(typed.value) ? undefined : says.wrongRate;
    if (error.value !== undefined) return;
    void start({
      run: (options) => client.setRendering({ fps: Number(typed.value) }, options),
      onDone: emptying(typed, ''),
    });
  };
  return (
    <form class="other-rate" onSubmit={draw} noValidate>
      <Field
        label={says.otherRate}
        hint={says.otherRateHint}
        type="number"
        value={typed.value}
        error={error.value}
        onValue={(value) => {
          typed.value = value;
          error.value = undefined;
        }}
        more={{ min: 0, inputMode: 'numeric' }}
      />
      <Button type="submit" isBusy={isUnderWay.value}>
        {says.setRate}
      </Button>
    </form>
  );
}
