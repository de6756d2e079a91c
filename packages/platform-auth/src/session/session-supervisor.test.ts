import { Secret } from '@steward/service-kit/secret';
import { ManualClock } from '@steward/testing/manual-clock';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Failure, PlatformFailure } from '../platform/failure.ts';
import type { PlatformSession } from '../platform/platform-session.ts';
import type { Login } from './login.ts';
import { type LoginSource, passwordLogin, savedSession } from './login-source.ts';
import { SessionSupervisor } from './session-supervisor.ts';

const replaced: Failure = { class: 'replaced', reason: 'Another program took over this session' };
const saved = (token: string): LoginSource => savedSession('ann', new Secret(token));

let onDisk: readonly LoginSource[];
const sources = vi.fn(async () => onDisk);
const logIn = vi.fn<(source: LoginSource) => Promise<Login>>();
let supervisor: SessionSupervisor;
beforeEach(() => {
  vi.clearAllMocks();
  const clock = new ManualClock();
  supervisor = new SessionSupervisor({
    sources,
    logIn,
    clock,
    random: () => 0,
    paceMs: () => 0,
    changed: () => {},
    tokenSuperseded: () => {},
  });
});
afterEach(() => supervisor.stop());

function untilWaiting(): Promise<boolean> {
  return vi.waitUntil(() => supervisor.model.state.name === 'waiting');
}

it('tries a session that another process saved while it waits for whoever took over', async () => {
  onDisk = [saved('old')];
  logIn.mockRejectedValue(new PlatformFailure(replaced));
  await supervisor.start();
  await untilWaiting();
  onDisk = [saved('new')];
  await supervisor.lookForSources();
  expect(logIn.mock.calls.map(([{ id }]) => id)).toEqual([saved('old').id, saved('new').id]);
});

it('takes the session that its own password brought for no news', async () => {
  const password = passwordLogin('ann', new Secret('pass-of-ann'));
  onDisk = [password];
  logIn.mockImplementation(async () => {
    onDisk = [saved('brought'), password];
    throw new PlatformFailure(replaced);
  });
  await supervisor.start();
  await untilWaiting();
  await supervisor.lookForSources();
  expect(logIn).toHaveBeenCalledTimes(1);
});

it('takes the session that it has renewed itself for no news', async () => {
  const ended = Promise.withResolvers<Failure>();
  const session: Partial<PlatformSession> = { ended: ended.promise, close: async () => {} };
  const login = { session: session as PlatformSession, token: new Secret('old'), source: saved('old') };
  onDisk = [saved('old')];
  logIn.mockResolvedValue(login);
  await supervisor.start();
  await vi.waitUntil(() => supervisor.login !== undefined);
  onDisk = [saved('renewed')];
  supervisor.tokenRenewed({ ...login, token: new Secret('renewed') });
  await vi.waitUntil(() => sources.mock.calls.length === 2);
  ended.resolve(replaced);
  await untilWaiting();
  await supervisor.lookForSources();
  expect(logIn).toHaveBeenCalledTimes(1);
});
