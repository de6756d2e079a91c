import { createPrivateKey, X509Certificate } from 'node:crypto';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it, vi } from 'vitest';
import { certifiedHosts, connectionManager, webApiHost } from './addresses.ts';
import { keptCertificates, mintCertificates } from './certificates.ts';

it('mints a certificate for the platform’s hosts that its authority has signed', async () => {
  const { caPem, certPem, keyPem } = await mintCertificates(certifiedHosts);
  const authority = new X509Certificate(caPem);
  const server = new X509Certificate(certPem);
  expect(authority.ca).toBe(true);
  expect(server.ca).toBe(false);
  expect(server.verify(authority.publicKey)).toBe(true);
  expect(server.checkIssued(authority)).toBe(true);
  expect(server.checkPrivateKey(createPrivateKey(keyPem))).toBe(true);
  expect(server.checkHost(webApiHost)).toBe(webApiHost);
  expect(server.checkHost(connectionManager.replace(':443', ''))).toBe('*.steamserver.net');
  expect(server.checkHost('example.com')).toBeUndefined();
});

it('says what each certificate is for and how long, and sends the authority’s along with the server’s', async () => {
  const dayMs = 86_400_000;
  const { caPem, certPem } = await mintCertificates(['localhost', 'other.example']);
  const server = new X509Certificate(certPem);
  expect(certPem.endsWith(caPem)).toBe(true);
  expect(server.subject).toBe('CN=localhost');
  expect(server.subjectAltName).toBe('DNS:localhost, DNS:other.example');
  // The one use is serverAuth.
  expect(server.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
  for (const { validFrom, validTo, publicKey } of [server, new X509Certificate(caPem)]) {
    expect(publicKey.asymmetricKeyDetails?.namedCurve).toBe('prime256v1');
    expect(Date.now() - Date.parse(validFrom)).toBeGreaterThanOrEqual(dayMs);
    expect(Date.parse(validTo) - Date.now()).toBeGreaterThan(3_649 * dayMs);
    expect(Date.parse(validTo) - Date.now()).toBeLessThanOrEqual(3_650 * dayMs);
  }
});

it('mints another authority each time, under another name', async () => {
  const [one, other] = [await mintCertificates(certifiedHosts), await mintCertificates(certifiedHosts)];
  const [first, second] = [new X509Certificate(one.caPem), new X509Certificate(other.caPem)];
  expect(first.subject).not.toBe(second.subject);
  expect(new X509Certificate(other.certPem).verify(first.publicKey)).toBe(false);
});

it('gives the same certificates at the next start, from a file that nobody else may read', async () => {
  using directory = temporaryDirectory();
  const first = await keptCertificates(directory.path, certifiedHosts);
  expect(await keptCertificates(directory.path, certifiedHosts)).toEqual(first);
  expect(statSync(join(directory.path, 'certificates.json')).mode & 0o777).toBe(0o600);
});

it('mints others in the last year of the kept ones, such as those of 30 days that came before, or where they cannot be read', async () => {
  using directory = temporaryDirectory();
  const { caPem } = await keptCertificates(directory.path, certifiedHosts);
  vi.useFakeTimers({ now: Date.now() + 3_300 * 86_400_000, toFake: ['Date'] });
  const renewed = await keptCertificates(directory.path, certifiedHosts);
  vi.useRealTimers();
  expect(renewed.caPem).not.toBe(caPem);
  writeFileSync(join(directory.path, 'certificates.json'), '{"caPem":');
  expect((await keptCertificates(directory.path, certifiedHosts)).caPem).not.toBe(renewed.caPem);
});
