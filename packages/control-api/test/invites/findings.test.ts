import { readFileSync } from 'node:fs';
import { type StepName, stepNames, stepStates } from '@steward/shared/api/answers/readiness';
import { describe, expect, it } from 'vitest';
import type { BridgeState } from '../../src/game/state/bridge-state.ts';
import { statusOf } from '../../src/http/bodies/status.ts';
import { type InviteFacts, nothingHeard, type SidecarFacts } from '../../src/invites/facts.ts';
import { inviteStatusOf, rootOf } from '../../src/invites/invite-status.ts';
import { steps } from '../../src/invites/steps.ts';
import type { FarmView } from '../../src/status/farm-view.ts';
import { fullFarm } from '../api/stage/full-farm.ts';

const at = '2026-11-21T06:30:00.000Z';
const now = new Date(at);
const farm = fullFarm();
const lobbyId = '109775241001034569';
const serverId = '90071992547409920';

const live: BridgeState = {
  link: { status: 'live', since: now, reason: 'Model 1 is connected' },
  sections: farm,
  isWhole: true,
  version: 1,
};

const session = { state: 'logged-in', reason: 'Logged in', since: at } as const;
const health = { status: 'ok', logged_in: true, timestamp: at, session } as const;
const lobby = {
  state: 'open',
  lobby_id: lobbyId,
  visibility: 'public',
  max_members: 10,
  metadata: {},
  created: 1,
  since: at,
} as const;

const well: SidecarFacts = {
  health: { ok: true, value: health },
  lobby: { ok: true, value: lobby },
  published: { lobbyId, gameServerId: serverId },
  takenUntil: undefined,
  lookAt: now,
};

const good: InviteFacts = {
  bridge: live,
  sidecar: well,
  ticket: { kind: 'given' },
  lobbyLink: { kind: 'idle' },
};

const farmView: FarmView = {
  instance: 'hill',
  state: live,
  invites: { steps: [], codes: {} },
  owners: { isEnforced: false, farmId: undefined, map: undefined, problems: [] },
  lists: undefined,
  draining: undefined,
  drainRemedy: undefined,
  newerFiles: [],
  disk: undefined,
  store: undefined,
  keysLost: undefined,
  emptySince: undefined,
};

function withNetworks(networks: Partial<(typeof farm)['networks']>): BridgeState {
  return { ...live, sections: { ...farm, networks: { ...farm.networks, ...networks } } };
}

function withSession(changed: object): SidecarFacts {
  const value = { ...health, logged_in: false, session: { ...session, ...changed } };
  return { ...well, health: { ok: true, value }, lobby: undefined, published: undefined };
}

const refused = (kind: 'unreachable' | 'secret', reason: string) =>
  ({ ok: false, refusal: { kind, reason, remedy: 'fix it' } }) as const;

const unreachable = 'The sidecar at http://platform-auth:3001 does not answer: connect ECONNREFUSED';
const ownedByNobody = 'The platform account does not own the game';

/** What is wrong, the step where it shows, and what is said of it. */
const cases: readonly [string, Partial<InviteFacts>, StepName, string, string][] = [
  [
    'no sidecar',
    { sidecar: undefined, bridge: withNetworks({ network: { signedIn: false } }) },
    'sidecar',
    'off',
    'PLATFORM_AUTH_URL is empty: without a sidecar there are no invite codes',
  ],
  [
    'nothing heard yet',
    { sidecar: nothingHeard },
    'sidecar',
    'working',
    'Asking the sidecar for the first time',
  ],
  [
    'a sidecar that is down',
    { sidecar: { ...nothingHeard, health: refused('unreachable', unreachable) } },
    'sidecar',
    'failed',
    unreachable,
  ],
  [
    'another secret',
    {
      sidecar: { ...well, lobby: refused('secret', 'The sidecar refuses our secret'), published: undefined },
    },
    'sidecar',
    'failed',
    'The sidecar refuses our secret',
  ],
  [
    'a login under way',
    { sidecar: withSession({ state: 'logging-in', reason: 'Logging in' }) },
    'login',
    'working',
    'Logging in',
  ],
  [
    'a login that waits for its turn',
    { sidecar: withSession({ state: 'paced', reason: 'It waits for its turn', next_retry: at }) },
    'login',
    'working',
    'It waits for its turn',
  ],
  [
    'a login refused',
    { sidecar: withSession({ state: 'credentials-refused', reason: 'Wrong password' }) },
    'login',
    'failed',
    'Wrong password',
  ],
  [
    'no ticket',
    {
      ticket: { kind: 'refused', reason: ownedByNobody },
      bridge: withNetworks({ network: { signedIn: false } }),
    },
    'ticket',
    'failed',
    ownedByNobody,
  ],
  [
    'an outage of the network',
    { bridge: withNetworks({ network: { signedIn: false, why: 'the network cannot be reached' } }) },
    'network-sign-in',
    'working',
    'The network cannot be reached',
  ],
  [
    'no lobby yet',
    { bridge: withNetworks({ network: { signedIn: true } }) },
    'network-lobby',
    'working',
    'The network lobby is not open yet',
  ],
  [
    'a game that does not obey',
    { bridge: withNetworks({ network: { signedIn: true, lobby: { id: '1', visibility: 'friends-only' } } }) },
    'network-lobby',
    'failed',
    'The network lobby is friends-only: nobody could join with its codes',
  ],
  [
    'a relay that is not logged on',
    { bridge: withNetworks({ relay: { why: 'no route' } }) },
    'platform-lobby',
    'working',
    'No route',
  ],
  [
    'a platform that refuses the lobby',
    {
      sidecar: {
        ...well,
        lobby: { ok: true, value: { ...lobby, state: 'creating', reason: 'Too many' } },
        published: undefined,
      },
    },
    'platform-lobby',
    'failed',
    'Too many',
  ],
  [
    'a game without linkLobby',
    {
      bridge: withNetworks({ network: { signedIn: true, lobby: { id: '1', visibility: 'public' } } }),
      lobbyLink: { kind: 'refused', reason: 'The game has no linkLobby' },
    },
    'link',
    'failed',
    'The game has no linkLobby',
  ],
  [
    'a sidecar that another farm uses, too',
    { sidecar: { ...well, published: { lobbyId, gameServerId: '1' }, takenUntil: now } },
    'platform-lobby',
    'failed',
    'Another farm uses this sidecar, too, and has taken over its lobby',
  ],
  [
    'no game',
    {
      bridge: { ...live, link: { ...live.link, status: 'gone', reason: 'the game has exited' } },
      ticket: { kind: 'unasked' },
    },
    'ticket',
    'waiting',
    'The game has exited',
  ],
];

describe('the first step that is not ok says what is wrong', () => {
  it.each(cases)('with %s', (_what, facts, step, state, reason) => {
    const status = inviteStatusOf({ ...good, ...facts }, undefined, now);
    const first = status.steps.find((one) => one.state !== 'ok');
    expect(first).toMatchObject({ step, state, reason });
    expect(first?.remedy).toEqual(expect.any(String));
    expect(rootOf(status, ['codes'])).toMatchObject({ reason });
    for (const other of status.steps) expect(stepStates).toContain(other.state);
  });

  it('and when all is well every one is ok', () => {
    const status = inviteStatusOf(good, undefined, now);
    expect(status.steps.map(({ state }) => state)).toEqual(stepNames.map(() => 'ok'));
    expect(status.codes).toEqual({ platform: 'SU0W2PIRA9U0', network: 'GU0W2PIRA9U0' });
  });
});

it('stays the same object until something changes, and keeps since when a state has held', () => {
  const first = inviteStatusOf(good, undefined, now);
  const later = new Date(now.getTime() + 1_000);
  expect(inviteStatusOf(good, first, later)).toBe(first);
  const lost = inviteStatusOf(
    { ...good, sidecar: withSession({ state: 'retrying', reason: 'Lost' }) },
    first,
    later,
  );
  expect(lost.steps.find(({ step }) => step === 'login')).toMatchObject({
    state: 'lost',
    since: later.toISOString(),
  });
  expect(lost.steps.find(({ step }) => step === 'sidecar')).toMatchObject({ state: 'ok', since: at });
  expect(lost.codes).toMatchObject({ network: 'GU0W2PIRA9U0' });
});

it('has no step that waits for a later one', () => {
  for (const [index, step] of stepNames.entries())
    for (const need of steps[step].needs) expect(stepNames.indexOf(need)).toBeLessThan(index);
});

describe('docs/players-cannot-join.md', () => {
  const page = readFileSync(new URL('../../../../docs/players-cannot-join.md', import.meta.url), 'utf8');

  it('quotes what is really said', () => {
    const said = cases.map(([, , , , reason]) => reason).join('\n');
    const quoted = [...page.matchAll(/“([^”]+)”/g)].map(([, words = '']) => words);
    expect(quoted.length).toBeGreaterThan(4);
    for (const words of quoted) for (const part of words.split('…')) expect(said).toContain(part.trim());
  });

  it('names no step and no state that there is not', () => {
    for (const [, step = '', state = ''] of page.matchAll(/`([a-z-]+)` is `([a-z]+)`/g)) {
      expect(stepNames).toContain(step);
      expect(stepStates).toContain(state);
    }
  });
});

it('passes on that another program uses the account: what ends it, and when the lobby is taken back', () => {
  const contended = { reason: 'Another program uses it', remedy: 'One account per farm', since: at };
  const next = '2026-11-21T06:38:00.000Z';
  const lost = { ...lobby, state: 'lost', reason: 'It is left to the other', next_retry: next } as const;
  const sidecar: SidecarFacts = {
    ...well,
    health: { ok: true, value: { ...health, contended } },
    lobby: { ok: true, value: lost },
    published: undefined,
  };
  const status = inviteStatusOf({ ...good, sidecar }, undefined, now);
  expect(status.steps.find(({ step }) => step === 'platform-lobby')).toMatchObject({
    state: 'failed',
    reason: lost.reason,
    remedy: contended.remedy,
    nextRetry: next,
  });
  const answer = statusOf({ ...farmView, invites: status });
  expect(answer.instance).toBe('hill');
  expect(answer.obstacles).toEqual([{ code: 'account-contended', ...contended }]);
  // The code of the network works still.
  expect(answer.isJoinable).toBe(true);
  expect(inviteStatusOf(good, status, now).contended).toBeUndefined();
});

it('passes on what the sidecar says of the game’s build, and keeps it while the sidecar is away', () => {
  const update = { state: 'available', since: at, checked_at: at, reason: 'Another build' } as const;
  const told = { ok: true, value: { ...health, game_update: update } } as const;
  const status = inviteStatusOf({ ...good, sidecar: { ...well, health: told } }, undefined, now);
  expect(status.gameUpdate).toEqual(update);
  const away = { ...good, sidecar: { ...well, health: refused('unreachable', unreachable) } };
  expect(inviteStatusOf(away, status, now).gameUpdate).toEqual(update);
  expect(inviteStatusOf(good, status, now).gameUpdate).toBeUndefined();
});
