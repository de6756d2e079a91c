import { stepNames } from '@steward/shared/api/answers/readiness';
import { expect, it } from 'vitest';
import type { BridgeState, SelfHosted } from '../../src/game/state/bridge-state.ts';
import type { InviteFacts } from '../../src/invites/facts.ts';
import { inviteStatusOf } from '../../src/invites/invite-status.ts';
import { fullFarm } from '../api/stage/full-farm.ts';

const now = new Date('2026-11-21T06:30:00.000Z');
const both = { platform: 'SU0W2PIRA9U0', network: 'GU0W2PIRA9U0' };

/** A server that hosts by itself, with a sidecar that is none of ours. */
function facts(codes: SelfHosted['codes'], link: Partial<BridgeState['link']> = {}): InviteFacts {
  const bridge: BridgeState = {
    link: { status: 'live', since: now, reason: 'it is connected', ...link },
    sections: fullFarm(),
    isWhole: true,
    version: 1,
    selfHosted: { name: 'that server', codes, settings: { game: {}, server: {} }, instead: {} },
  };
  return { bridge, sidecar: undefined, ticket: { kind: 'unasked' }, lobbyLink: { kind: 'idle' } };
}

function lookedAt(inviteFacts: InviteFacts) {
  const { steps, codes } = inviteStatusOf(inviteFacts, undefined, now);
  const last = steps.at(-1);
  if (last === undefined) throw new Error('there are no steps');
  return { steps, codes, last };
}

it('without a sidecar of ours every step but the codes is that server’s own, and says so', () => {
  const { steps } = lookedAt(facts(both));
  expect(steps.map(({ step, state }) => `${step} ${state}`)).toEqual(
    stepNames.map((step) => `${step} ${step === 'codes' ? 'ok' : 'off'}`),
  );
  const reasons = steps.slice(0, -1).map(({ reason }) => reason);
  expect(new Set(reasons.slice(0, 2))).toEqual(new Set(['That server handles its sidecar itself']));
  expect(new Set(reasons.slice(2))).toEqual(new Set(['That server handles this itself']));
  // Nobody is sent to set PLATFORM_AUTH_URL for what this service leaves alone.
  for (const { remedy } of steps) expect(remedy).toBeUndefined();
});

it.each([
  [both, 'ok', 'Both codes work'],
  [{ network: both.network }, 'working', 'The G code works, the S code does not yet'],
  [{ platform: both.platform }, 'working', 'The S code works, the G code does not yet'],
  [{}, 'waiting', 'That server shows no invite code'],
])('without a sidecar of ours the codes are those that it shows: %j', (shown, state, reason) => {
  const { codes, last } = lookedAt(facts(shown));
  expect(codes).toEqual(shown);
  expect(last).toMatchObject({ step: 'codes', state, reason });
});

it('without that server there is no code, and the reason is where it went', () => {
  const { codes, last } = lookedAt(facts(both, { status: 'gone', reason: 'it does not answer' }));
  expect(codes).toEqual({});
  expect(last).toMatchObject({ step: 'codes', state: 'waiting', reason: 'It does not answer' });
});
