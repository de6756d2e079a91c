import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it, vi } from 'vitest';
import { certifiedHosts } from './addresses.ts';
import { keptCertificates } from './certificates.ts';

it('gives the same certificates at the next start, from a file that nobody else may read', () => {
  using directory = temporaryDirectory();
  const first = keptCertificates(directory.path, certifiedHosts);
  expect(keptCertificates(directory.path, certifiedHosts)).toEqual(first);
  expect(statSync(join(directory.path, 'certificates.json')).mode & 0o777).toBe(0o600);
});

it('mints others once the kept ones are about to end, or cannot be read', () => {
  using directory = temporaryDirectory();
  const { caPem } = keptCertificates(directory.path, certifiedHosts);
  vi.useFakeTimers({ now: Date.now() + 24 * 86_400_000, toFake: ['Date'] });
  const renewed = keptCertificates(directory.path, certifiedHosts);
  vi.useRealTimers();
  expect(renewed.caPem).not.toBe(caPem);
  writeFileSync(join(directory.path, 'certificates.json'), '{"caPem":');
  expect(keptCertificates(directory.path, certifiedHosts).caPem).not.toBe(renewed.caPem);
});
