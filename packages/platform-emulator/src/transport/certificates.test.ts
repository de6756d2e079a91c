import { X509Certificate } from 'node:crypto';
import { expect, it } from 'vitest';
import { certifiedHosts, connectionManager, webApiHost } from './addresses.ts';
import { mintCertificates } from './certificates.ts';

it('mints a certificate for the platform’s hosts that its authority has signed', () => {
  const { caPem, certPem } = mintCertificates(certifiedHosts);
  const authority = new X509Certificate(caPem);
  const server = new X509Certificate(certPem);
  expect(authority.ca).toBe(true);
  expect(server.ca).toBe(false);
  expect(server.verify(authority.publicKey)).toBe(true);
  expect(server.checkIssued(authority)).toBe(true);
  expect(server.checkHost(webApiHost)).toBe(webApiHost);
  expect(server.checkHost(connectionManager.replace(':443', ''))).toBe('*.steamserver.net');
  expect(server.checkHost('example.com')).toBeUndefined();
});

it('mints another authority each time, under another name', () => {
  const [one, other] = [mintCertificates(certifiedHosts), mintCertificates(certifiedHosts)];
  const [first, second] = [new X509Certificate(one.caPem), new X509Certificate(other.caPem)];
  expect(first.subject).not.toBe(second.subject);
  expect(new X509Certificate(other.certPem).verify(first.publicKey)).toBe(false);
});
