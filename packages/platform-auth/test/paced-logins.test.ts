import { LogonLimit } from '@steward/platform-emulator/authentication/login-limit';
import { Secret } from '@steward/service-kit/secret';
import type { SessionStatus } from '@steward/shared/sidecar/health';
import { ManualClock } from '@steward/testing/manual-clock';
import { count } from '@steward/testing/scale';
import { seededRandom } from '@steward/testing/seeded-random';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PlatformFailure } from '../src/platform/failure.ts';
import { failureOfEresult } from '../src/platform/failure-table.ts';
import type { PlatformSession } from '../src/platform/platform-session.ts';
import { ConfiguredAccount } from '../src/session/configured-account.ts';
import { SessionSupervisor } from '../src/session/session-supervisor.ts';
import { Emulated, gameApp } from './world/emulated.ts';
import { LocalSidecar } from './world/local-sidecar.ts';

const secondMs = 1_000;
const [rateLimited, noConnection] = [84, 3];
/** What docs/sidecar.md asks for. */
const secondsForEach = 10;

/**
 * Many services that start at once behind one address; resolves to how many logins were refused, and when the last came in. With an
 * outage, all lose their sessions together once they are in; what is refused is counted from there.
 */
async function startAtOnce(names: readonly string[], spreadSeconds: number, outageSeconds = 0) {
  const clock = new ManualClock();
  const limit = new LogonLimit({}, () => clock.now());
  const random = seededRandom(7);
  let refused = 0;
  let lastAt = 0;
  const supervisors = names.map((name) => {
    const account = new ConfiguredAccount(
      { PLATFORM_USERNAME: name, PLATFORM_PASSWORD: new Secret('p'), PLATFORM_REFRESH_TOKEN: undefined },
      {
        list: async () => [],
        fateOf: async () => undefined,
        save: async () => {},
        remember: async () => {},
      },
    );
    return new SessionSupervisor({
      sources: () => account.sources(),
      async logIn(source) {
        if (!limit.allows()) {
          refused += 1;
          throw new PlatformFailure(failureOfEresult(rateLimited));
        }
        lastAt = clock.now();
        const session: Partial<PlatformSession> = { ended: new Promise(() => {}), close: async () => {} };
        return { session: session as PlatformSession, token: new Secret(name), source };
      },
      clock,
      random,
      paceMs: () => account.share * spreadSeconds * secondMs,
      changed: () => {},
      tokenSuperseded: () => {},
    });
  });
  for (const supervisor of supervisors) void supervisor.start();
  await new Promise(setImmediate);
  await pass(spreadSeconds);
  if (outageSeconds > 0) {
    refused = 0;
    const failure = failureOfEresult(noConnection);
    for (const supervisor of supervisors) await supervisor.abandon(failure);
    await pass(outageSeconds);
  }
  const loggedIn = supervisors.filter(({ login }) => login !== undefined).length;
  for (const supervisor of supervisors) await supervisor.stop();
  return { refused, loggedIn, lastAt };

  async function pass(seconds: number): Promise<void> {
    for (let second = 0; second <= seconds; second += 1) {
      clock.advance(secondMs);
      await new Promise(setImmediate);
    }
  }
}

const fifty = 50;
const names = fc.uniqueArray(fc.string({ minLength: 3, maxLength: 20 }), {
  minLength: fifty,
  maxLength: fifty,
  selector: (name) => name.toLowerCase(),
});

it('fifty services that start at once are all in within the spread, and none was refused', async () => {
  await fc.assert(
    fc.asyncProperty(names, async (accounts) => {
      const spread = fifty * secondsForEach;
      const { refused, loggedIn, lastAt } = await startAtOnce(accounts, spread);
      expect({ refused, loggedIn }).toEqual({ refused: 0, loggedIn: fifty });
      expect(lastAt).toBeLessThanOrEqual((spread + 1) * secondMs);
    }),
    { numRuns: count({ small: 5, long: 200 }) },
  );
});

it('without a spread most of them are refused', async () => {
  const accounts = Array.from({ length: fifty }, (_, index) => `farm${index}`);
  expect(await startAtOnce(accounts, 0)).toMatchObject({ refused: fifty - 8, loggedIn: 8 });
});

it('many that lose their sessions together are refused once at the most, and come back in their turns', async () => {
  // Of fewer, what is left to chance in each wait would be as good as a turn.
  const many = count({ small: 100, long: 200 });
  const accounts = Array.from({ length: many }, (_, index) => `farm${index}`);
  const spread = accounts.length * secondsForEach;
  const waitSeconds = 45 * 60;
  const { refused, loggedIn } = await startAtOnce(accounts, spread, waitSeconds + spread);
  expect(loggedIn).toBe(accounts.length);
  expect(refused).toBeLessThanOrEqual(accounts.length - 8);
});

it('services with the real library come in one after the other, and none is refused', async () => {
  const many = count({ small: 12, long: fifty });
  const clock = new ManualClock(new Date());
  const accounts = Array.from({ length: many }, (_, index) => ({
    name: `farm${index}`,
    password: 'p',
    owns: [gameApp],
  }));
  const now = () => clock.date().getTime();
  await using world = await Emulated.start({ accounts, now, logonLimit: {} });
  const { platform } = world;
  await using running = new AsyncDisposableStack();
  const spreadSeconds = many * secondsForEach;
  const sidecars: LocalSidecar[] = [];
  for (const { name } of accounts) {
    const token = platform.refreshToken(name);
    const directory = `${world.directory}/${name}`;
    const parts = { platform, directory, username: name, token, clock, spreadSeconds };
    sidecars.push(running.use(await LocalSidecar.start(parts)));
  }
  for (let second = 0; second <= spreadSeconds; second += 1) {
    clock.advance(secondMs);
    const isAtRest = ({ state, next_retry }: SessionStatus) =>
      state === 'logged-in' || (state === 'paced' && Date.parse(next_retry ?? '') > now());
    for (const sidecar of sidecars) await sidecar.statusWhere(isAtRest);
  }
  for (const sidecar of sidecars) await sidecar.until('logged-in');
  expect(platform.record.count({ path: 'ClientLogon' })).toBe(many);
});

describe('a login that waits for its turn', () => {
  const name = 'ann';

  it('is told of as what it is, with when it is, and takes the same turn at each start', async () => {
    await using world = await Emulated.start();
    const { platform, directory } = world;
    const turns: number[] = [];
    for (const _ of [1, 2]) {
      const clock = new ManualClock(new Date());
      const token = platform.refreshToken(name);
      await using sidecar = await LocalSidecar.start({
        platform,
        directory,
        token,
        username: name,
        clock,
        spreadSeconds: 1_000,
      });
      const status = await sidecar.until('paced');
      expect(status).toMatchObject({ reason: expect.stringContaining('PLATFORM_LOGIN_SPREAD') });
      const turnMs = Date.parse(status.next_retry ?? '') - Date.parse(status.since);
      turns.push(turnMs);
      const ticket = await sidecar.get('/platform/app-ticket');
      expect(ticket.json()).toMatchObject({ state: 'paced', next_retry: status.next_retry });
      clock.advance(turnMs - 1);
      expect((await sidecar.status()).state).toBe('paced');
      clock.advance(2);
      await sidecar.until('logged-in');
      platform.kick(name, 20);
      await sidecar.until('retrying');
      clock.advance(2 * secondMs);
      // A session that is lost does not wait for a turn.
      await sidecar.until('logged-in');
    }
    expect(turns[0]).toBe(turns[1]);
    expect(turns[0]).toBeGreaterThan(0);
  });

  it('is over as soon as somebody saves a session manually; one that is saved to a service without is tried at once', async () => {
    await using world = await Emulated.start();
    const { platform, directory } = world;
    const clock = new ManualClock(new Date());
    await using sidecar = await LocalSidecar.start({ platform, directory, clock, spreadSeconds: 86_400 });
    await sidecar.until('no-account');
    await world.saveSession(name);
    clock.advance(5 * secondMs);
    await sidecar.until('logged-in');
    await using other = await LocalSidecar.start({ platform, directory, clock, spreadSeconds: 86_400 });
    await other.until('paced');
    await world.saveSession(name);
    clock.advance(5 * secondMs);
    expect(await other.until('logged-in')).toMatchObject({ reason: 'Logged in with the saved session' });
  });
});
