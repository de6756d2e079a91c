import type { InviteWayStep } from '@steward/client';
import { Pill } from '../../parts/card.tsx';
import { When } from '../../parts/time.tsx';
import { wayWords as says } from '../../words.ts';
import '../../styles/way.css';

const kinds = {
  off: 'off',
  waiting: 'off',
  working: 'wait',
  ok: 'good',
  failed: 'bad',
  lost: 'bad',
} as const;

/** How far the way to the codes has come, step by step. */
export function Way({ steps }: { steps: readonly InviteWayStep[] }) {
  const isWhole = steps.every(({ state }) => state === 'ok' || state === 'off');
  return (
    <details class="way-steps" open={!isWhole}>
      <summary>{isWhole ? says.wayDone : says.way}</summary>
      <ol>
        {steps.map((step) => (
          <Step key={step.step} step={step} />
        ))}
      </ol>
    </details>
  );
}

function Step({ step: { step, state, reason, remedy, since, nextRetry } }: { step: InviteWayStep }) {
  const isWell = state === 'ok' || state === 'off';
  return (
    <li>
      <div class="step-head">
        <span>{says.steps[step] ?? step}</span>
        <Pill kind={kinds[state]}>{says.stepStates[state]}</Pill>
      </div>
      {!isWell && (
        <p class="faint">
          {reason} (<When at={since} />)
        </p>
      )}
      {!isWell && remedy !== undefined && <p class="step-remedy">{remedy}</p>}
      {!isWell && nextRetry !== undefined && (
        <p class="faint">
          {says.nextTry}: <When at={nextRetry} as="clock" />
        </p>
      )}
    </li>
  );
}
