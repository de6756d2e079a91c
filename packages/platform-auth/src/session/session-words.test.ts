import { describe, expect, it } from 'vitest';
import { failureOfEresult } from '../platform/failure-table.ts';
import { initialModel, type SessionModel, step } from './session-machine.ts';
import { newCredentialsByHand, sessionWords } from './session-words.ts';

const at = { nowMs: 0, random: 0, paceMs: 0 };

function afterRefusal(
  kind: 'environment-token' | 'saved-session' | 'password',
  eresult: number,
): SessionModel {
  const begun = step(initialModel(0), { type: 'sources', sources: [{ id: 'x', kind }] }, at).model;
  return step(begun, { type: 'failed', failure: failureOfEresult(eresult) }, at).model;
}

it('that there is no account is said only once somebody has looked', () => {
  const model = initialModel(0);
  expect(sessionWords(model)).toMatchObject({ state: 'logging-in' });
  expect(sessionWords(step(model, { type: 'sources', sources: [] }, at).model).state).toBe('no-account');
});

describe('a refused credential', () => {
  it.each([
    ['environment-token', 15, 'PLATFORM_REFRESH_TOKEN'],
    ['saved-session', 27, '`platform-auth login`'],
    ['password', 5, 'PLATFORM_PASSWORD'],
    ['password', 85, '`platform-auth login`'],
    ['saved-session', 17, 'support'],
  ] as const)('of kind %s with code %i names how to fix it', (kind, eresult, remedy) => {
    const words = sessionWords(afterRefusal(kind, eresult));
    expect(words.state).toBe('credentials-refused');
    expect(words.remedy).toContain(remedy);
  });
});

it.each(['environment-token', 'password'] as const)(
  'after a refused %s the service is restarted, and a command run again',
  (kind) => {
    const model = afterRefusal(kind, 5);
    expect(sessionWords(model).remedy).toMatch(/and restart/);
    expect(sessionWords(model, newCredentialsByHand).remedy).toMatch(/and run it again/);
  },
);

it.each([
  [20, 'retrying'],
  [84, 'rate-limited'],
  [34, 'replaced'],
] as const)('code %i is told as %s, with what to do', (eresult, state) => {
  const words = sessionWords(afterRefusal('saved-session', eresult));
  expect(words.state).toBe(state);
  expect(words.reason).not.toBe('');
  expect(words.remedy).not.toBe('');
});

it('after too many logins it says to wait, and that each start is one more', () => {
  expect(sessionWords(afterRefusal('saved-session', 84)).remedy).toMatch(
    /^Wait: .* each start of Steward is one$/,
  );
});
