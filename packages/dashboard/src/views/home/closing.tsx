import { useSignal } from '@preact/signals';
import type { Draining } from '@steward/client';
import { useEffect } from 'preact/hooks';
import { serverNow } from '../../farm/clock.ts';
import { farm } from '../../farm/farms.ts';
import { Card } from '../../parts/card.tsx';
import { DeedButton, Offered } from '../../parts/deed-button.tsx';
import { closingWords as says } from '../../words.ts';
import '../../styles/closing.css';

/** How far the seeing off of players has come, and the way back from it. */
export function Closing({ draining: { phase, when, until, restart, message } }: { draining: Draining }) {
  const { client } = farm.value;
  const isStopped = phase === 'stopped';
  return (
    <Card
      title={isStopped ? says.stoppedTitle : says.title}
      icon="wait"
      class="closing"
      aside={until !== undefined && <Countdown until={until} />}
    >
      <p>
        {says.phases[phase]} {phase === 'waiting' && says.waits[when]}{' '}
        {!isStopped && phase !== 'starting' && (restart ? says.back : says.away)}
      </p>
      {message !== undefined && (
        <p class="faint">
          <bdi>{message}</bdi>
        </p>
      )}
      {phase !== 'starting' && (
        <Offered does="cancelDrain">
          <div class="buttons">
            <DeedButton kind="main" deed={{ run: (options) => client.cancelDrain({}, options) }}>
              {isStopped ? says.startGame : says.cancel}
            </DeedButton>
          </div>
        </Offered>
      )}
    </Card>
  );
}

/** Often enough that no second is left out. */
const lookEveryMs = 500;

function Countdown({ until }: { until: string }) {
  const left = useSignal(secondsTo(until));
  useEffect(() => {
    const look = () => {
      left.value = secondsTo(until);
    };
    look();
    const timer = setInterval(look, lookEveryMs);
    return () => clearInterval(timer);
  }, [until]);
  return (
    <span class="countdown" role="timer" aria-label={says.left}>
      {clockOf(left.value)}
    </span>
  );
}

function secondsTo(until: string): number {
  return Math.max(0, Math.ceil((Date.parse(until) - serverNow()) / 1_000));
}

function clockOf(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  const twoDigits = (number: number) => String(number).padStart(2, '0');
  const end = twoDigits(seconds % 60);
  return hours > 0 ? `${hours}:${twoDigits(minutes)}:${end}` : `${minutes}:${end}`;
}
