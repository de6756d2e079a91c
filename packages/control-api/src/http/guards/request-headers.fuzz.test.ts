import { bearerToken, keyCheck } from '@steward/service-kit/http/bearer';
import { Secret } from '@steward/service-kit/secret';
import { damaged } from '@steward/testing/hostile/bytes';
import { anyText } from '@steward/testing/hostile/text';
import { withstand } from '@steward/testing/hostile/withstand';
import { count } from '@steward/testing/scale';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hostName, normalOrigin, whyRefused } from './browsers.ts';
import { addressOrNetwork, clientOf } from './client-address.ts';

const runs = { numRuns: count({ small: 500, long: 100_000 }) };

const hosts = [
  '127.0.0.1:8080',
  'localhost',
  '[::1]:8080',
  'farm.example',
  'farm.example:8080',
  'evil.example',
  '0x7f.1',
  '2130706433',
  'localhost.',
  'xn--bcher-kva.example',
  '127.0.0.1.evil.example',
  'localhost@evil.example',
  'evil.example#localhost',
  '',
];
const origins = [
  ...hosts.map((host) => `http://${host}`),
  'null',
  'file://',
  'https://farm.example',
  'http://evil.example\\@127.0.0.1',
];

function near(samples: readonly string[]): fc.Arbitrary<string> {
  const sample = fc.constantFrom(...samples);
  const hurt = damaged(sample.map((text) => Buffer.from(text))).map((bytes) => bytes.toString('latin1'));
  return fc.oneof(
    { weight: 3, arbitrary: sample },
    { weight: 2, arbitrary: hurt },
    anyText({ maxLength: 30 }),
  );
}

const rules = { allowedOrigins: new Set(['https://panel.example']), allowedHosts: new Set(['farm.example']) };

it('no spelling of Host and Origin lets a page in that is neither this server’s nor allowed', {
  timeout: 3_600_000,
}, () => {
  fc.assert(
    fc.property(
      near(hosts),
      near(origins),
      fc.constantFrom(undefined, 'cross-site', 'same-origin'),
      (host, origin, fetchSite) => {
        const refused = withstand(() => whyRefused({ host, origin, fetchSite, fetchMode: 'cors' }, rules));
        if (refused !== undefined) {
          expect(refused.length).toBeLessThan(500);
          return;
        }
        // Let in: then the page stands on the very host that was asked, and that is an address or a name of ours.
        const page = new URL(origin);
        expect(page.host).toBe(new URL(`${page.protocol}//${host}`).host);
        expect(page.hostname).toMatch(/^([0-9.]+|\[[0-9a-f:.]+\]|localhost|farm\.example)$/);
      },
    ),
    runs,
  );
});

it('no header of a key throws, and only the key is the key', { timeout: 3_600_000 }, () => {
  const isKey = keyCheck(new Secret('k3y-ü'));
  fc.assert(
    fc.property(
      near(['Bearer k3y-ü', 'bearer  k3y-ü', 'Basic azN5', 'Bearer', 'Bearer k3y-ü\u0000', 'k3y-ü']),
      (header) => {
        const given = withstand(() => bearerToken(header));
        if (given !== undefined) expect(isKey(given)).toBe(given === 'k3y-ü');
      },
    ),
    runs,
  );
});

it('no address throws, and each is counted under one name', { timeout: 3_600_000 }, () => {
  const addresses = [
    '127.0.0.1',
    '::1',
    '::ffff:10.0.0.1',
    'fe80::1%eth0',
    '2001:db8:1:2:3:4:5:6',
    '::',
    '10.0.0.0/8',
    'fd00::/129',
    '1.2.3.4/33',
    '::ffff:999.1.1.1',
  ];
  fc.assert(
    fc.property(near(addresses), (address) => {
      const counted = withstand(() => clientOf(address));
      expect(clientOf(counted.replace(/::\/64$/, '::'))).toBe(counted);
      const accepted = addressOrNetwork(address);
      if (accepted !== undefined) expect(accepted).toMatch(/^[\w:.%/-]+$/);
    }),
    runs,
  );
});

it('no configured origin or host throws, and what is taken is the same when taken again', {
  timeout: 3_600_000,
}, () => {
  fc.assert(
    fc.property(near(origins), near(hosts), (origin, host) => {
      const taken = withstand(() => normalOrigin(origin));
      if (taken !== undefined) expect(normalOrigin(taken)).toBe(taken);
      const name = withstand(() => hostName(host));
      if (name !== undefined) expect(hostName(name)).toBe(name);
    }),
    runs,
  );
});
