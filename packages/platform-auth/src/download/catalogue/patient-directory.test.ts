import { ManualClock } from '@steward/testing/manual-clock';
import { expect, it } from 'vitest';
import { PlatformFailure } from '../../platform/failure.ts';
import type { PlatformSession } from '../../platform/platform-session.ts';
import { patientDirectory } from './patient-directory.ts';

const passing = new PlatformFailure({ class: 'transient', reason: 'The session has just ended' });

it('does not wait for another try once it is told to stop, although the answer failed after that', async () => {
  const stopping = new AbortController();
  const ownsApp = async (): Promise<never> => {
    stopping.abort(new Error('stopped'));
    throw passing;
  };
  const session = { content: { ownsApp } } as unknown as PlatformSession;
  // Nobody moves this clock: a pause would never end.
  const directory = patientDirectory(() => session, new ManualClock(), stopping.signal);
  await expect(directory.ownsApp(1)).rejects.toThrow('stopped');
});
