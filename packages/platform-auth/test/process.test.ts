import { readyLine } from '@steward/service-kit/log/ready-line';
import { sidecarHealth } from '@steward/shared/sidecar/health';
import { Program } from '@steward/testing/program';
import { expect, it } from 'vitest';

const entry = 'packages/platform-auth/src/main.ts';
const onLoopback = { HOST: '127.0.0.1', PORT: '0' };

it('is alive without an account, and says that it has none and what that means', async () => {
  await using sidecar = new Program(entry, [], onLoopback);
  const [, origin = ''] = await sidecar.line(/listening on (http:\S+?)["\s]/);
  await sidecar.line(/No platform account is known/);
  const answer = await fetch(`${origin}/health`);
  expect(answer.status).toBe(200);
  const health = sidecarHealth.parse(await answer.json());
  expect(health).toMatchObject({ status: 'ok', logged_in: false, session: { state: 'no-account' } });
  expect(health.session.reason).not.toBe('');
  expect(health.session.remedy).not.toBe('');
});

it.each(['json', 'pretty'])(
  'says on stdout that it is ready, also without an account, and nothing else: %s',
  async (LOG_FORMAT) => {
    await using sidecar = new Program(entry, ['serve'], { ...onLoopback, LOG_FORMAT, LOG_LEVEL: 'warn' });
    await sidecar.line(new RegExp(readyLine));
    await sidecar.line(/No platform account is known/);
    sidecar.kill('SIGTERM');
    expect(await sidecar.exited).toEqual({ code: 0, signal: null });
    expect(sidecar.stdout).toEqual([expect.stringContaining(readyLine)]);
    expect(sidecar.stderr).not.toEqual([]);
  },
);

it('is checked by its own command', async () => {
  await using sidecar = new Program(entry, [], onLoopback);
  const [, port = ''] = await sidecar.line(/listening on http:\/\/127\.0\.0\.1:(\d+)/);
  await using healthy = new Program(entry, ['healthcheck'], { HOST: '127.0.0.1', PORT: port });
  expect(await healthy.exited).toMatchObject({ code: 0 });
});

it('says what is wrong with its environment and ends with 1', async () => {
  await using sidecar = new Program(entry, [], { PORT: '99999' });
  expect(await sidecar.exited).toMatchObject({ code: 1 });
  expect(sidecar.stderr).toEqual(['platform-auth: PORT is "99999": it must be an integer from 0 to 65535']);
});
