import { Secret } from '@steward/service-kit/secret';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { afterEach, expect, it, vi } from 'vitest';
import { runCommand } from './run-command.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

it('takes every secret out of an error that nobody foresaw, one that came up on the way included', async () => {
  using directory = temporaryDirectory();
  vi.stubEnv('SESSION_DIR', directory.path);
  vi.stubEnv('PLATFORM_AUTH_SECRET', 'secret-of-the-sidecar');
  vi.spyOn(process, 'on').mockReturnValue(process);
  const written: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  const code = await runCommand('test', async ({ conceal }) => {
    conceal(new Secret('typed-password'));
    throw new Error('crashed with typed-password and secret-of-the-sidecar');
  });
  expect(code).toBe(1);
  expect(written.join('')).toContain('crashed with [secret] and [secret]');
});
