import { anyText } from '@steward/testing/hostile/text';
import { count } from '@steward/testing/scale';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AllowList, readAllowed } from './allow-list.ts';
import { objectionToAddresses, readDestination } from './destination.ts';

function allowing(...items: readonly string[]): AllowList {
  return new AllowList(
    items.map((item) => {
      const allowed = readAllowed(item);
      if (allowed === undefined) throw new Error(`${item} cannot be listed`);
      return allowed;
    }),
  );
}

const nothing = allowing();

function refusal(url: string, allow = nothing): string | undefined {
  const read = readDestination(url, allow);
  return read.ok ? undefined : read.reason;
}

/** Addresses of every kind that is not for everybody, by what they are. */
const notPublic = {
  'this machine': ['127.0.0.1', '127.255.255.254', '::1'],
  'no address': ['0.0.0.0', '0.1.2.3', '::'],
  private: ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
  'unique-local': ['fc00::1', 'fd12:3456:789a::1'],
  'link-local, where clouds tell their secrets': ['169.254.169.254', '169.254.0.1', 'fe80::1', 'febf::1'],
  'site-local': ['fec0::1'],
  'shared by a provider': ['100.64.0.1', '100.127.255.255'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1'],
  broadcast: ['255.255.255.255'],
  'of the future': ['240.0.0.1', '254.1.2.3', '4000::1', '8000::1', '5f00::1'],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
  benchmarks: ['198.18.0.1', '198.19.255.255', '2001:2::1'],
  'of protocols': ['192.0.0.1', '192.88.99.1', '100::1', '2001:20::1'],
  'IPv4 mapped into IPv6': ['::ffff:127.0.0.1', '::ffff:7f00:1', '0:0:0:0:0:ffff:192.168.1.1'],
  'IPv4 made into IPv6 long ago': ['::127.0.0.1', '::7f00:1', '::8.8.8.8'],
  'IPv4 translated': ['::ffff:0:127.0.0.1', '64:ff9b::127.0.0.1', '64:ff9b::8.8.8.8', '64:ff9b:1::1'],
  'a tunnel': ['2002:7f00:1::', '2002:808:808::1', '2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
};

const cases = Object.entries(notPublic).flatMap(([what, addresses]) =>
  addresses.map((address) => ({ what, address })),
);

describe('an address that is not for everybody', () => {
  it.each(cases)(
    '$address ($what) is refused in a URL and behind a name, until it is listed',
    ({ address }) => {
      const literal = `https://${inUrl(address)}/hook`;
      expect(refusal(literal)).toContain('not a public address');
      const named = new URL('https://receiver.example/hook');
      expect(objectionToAddresses(named, [address], nothing)).toContain('not a public address');
      const listed = allowing(address);
      expect(refusal(literal, listed)).toBeUndefined();
      expect(objectionToAddresses(named, [address], listed)).toBeUndefined();
    },
  );

  it.each([
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0x7f000001/',
    'http://017700000001/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://127.0.1/',
    'http://127.0.0.1./',
    'http://１２７.０.０.１/',
    'http://127。0。0。1/',
    'http://①②⑦.0.0.1/',
    'http://%31%32%37.0.0.1/',
    'http://0/',
    'http://[::ffff:7f00:1]/',
    'http://[0:0:0:0:0:ffff:127.0.0.1]/',
  ])('%s is one', (url) => {
    for (const scheme of ['http:', 'https:'])
      expect(refusal(url.replace('http:', scheme))).toMatch(
        /resolves to (127\.0\.0\.1|0\.0\.0\.0), which is not a public/,
      );
  });

  it('is one in every form in which the same address can be written', () => {
    fc.assert(
      fc.property(anyNotPublic, formOfIpv4, (address, form) => {
        expect(refusal(`https://${form(address)}/`)).toContain('not a public address');
      }),
      { numRuns: count({ small: 150, long: 20_000 }) },
    );
  });

  it('is what localhost is, and each name below it', () => {
    for (const host of [
      'localhost',
      'LOCALHOST',
      'localhost.',
      'farm.localhost',
      'farm.localhost.',
      'ｌocalhost',
    ])
      expect(refusal(`https://${host}/`), host).toContain('127.0.0.1');
    expect(refusal('http://localhost:3000/', allowing('localhost'))).toBeUndefined();
    expect(refusal('http://localhost:3000/', allowing('127.0.0.0/8'))).toBeUndefined();
    expect(refusal('http://farm.localhost:3000/', allowing('localhost'))).toContain('not a public address');
  });
});

describe('an address that is for everybody', () => {
  it.each(['8.8.8.8', '1.1.1.1', '162.159.135.232', '2606:4700:4700::1111', '::ffff:8.8.8.8'])(
    '%s',
    (address) => {
      expect(refusal(`https://${inUrl(address)}/hook`)).toBeUndefined();
      expect(objectionToAddresses(new URL('https://a.example/'), [address], nothing)).toBeUndefined();
    },
  );
});

describe('a name', () => {
  const url = new URL('https://receiver.example/hook');

  it.each([
    [['8.8.8.8', '192.168.1.5']],
    [['192.168.1.5', '8.8.8.8']],
    [['2606:4700::1', '::1', '8.8.8.8']],
    [['8.8.8.8', 'nonsense']],
  ])('of which one address is not for everybody is refused whole: %o', (addresses) => {
    expect(objectionToAddresses(url, addresses, nothing)).toContain('list receiver.example in WEBHOOK_ALLOW');
  });

  it('may have addresses that are listed beside public ones', () => {
    expect(objectionToAddresses(url, ['8.8.8.8', '192.168.1.5'], allowing('192.168.1.0/24'))).toBeUndefined();
    expect(objectionToAddresses(url, ['192.168.2.5'], allowing('192.168.1.0/24'))).toContain('192.168.2.5');
  });

  it('that is listed may lead anywhere, in any case, and no other with it', () => {
    const allow = allowing('NTFY.lan', 'bücher.lan');
    for (const host of ['ntfy.lan', 'Ntfy.LAN', 'bücher.lan', 'xn--bcher-kva.lan']) {
      expect(refusal(`http://${host}:8080/farm`, allow), host).toBeUndefined();
      expect(objectionToAddresses(new URL(`http://${host}/`), ['10.0.0.1'], allow), host).toBeUndefined();
    }
    for (const host of ['x.ntfy.lan', 'ntfy.lan.evil.example', 'xntfy.lan'])
      expect(objectionToAddresses(new URL(`https://${host}/`), ['10.0.0.1'], allow), host).toContain(
        '10.0.0.1',
      );
  });
});

describe('plain http', () => {
  it('goes to what is listed alone', () => {
    expect(refusal('http://receiver.example/hook')).toContain(
      'use https, or list receiver.example in WEBHOOK_ALLOW',
    );
    expect(refusal('http://8.8.8.8/hook')).toContain('use https');
    expect(refusal('http://ntfy.lan/farm', allowing('ntfy.lan'))).toBeUndefined();
    expect(refusal('http://192.168.1.5/farm', allowing('192.168.1.0/24'))).toBeUndefined();
  });

  it('to a name shows where it goes when that is looked up', () => {
    const allow = allowing('192.168.1.0/24');
    const url = new URL('http://ntfy.lan/farm');
    expect(refusal(url.href, allow)).toBeUndefined();
    expect(objectionToAddresses(url, ['192.168.1.5'], allow)).toBeUndefined();
    expect(objectionToAddresses(url, ['8.8.8.8'], allow)).toContain('use https');
  });
});

it.each([
  ['https://user:secret@receiver.example/', 'name or a password'],
  ['https://user@receiver.example/', 'name or a password'],
  ['https://@receiver.example/', 'name or a password'],
  ['https://receiver.example:443@10.0.0.1/', 'name or a password'],
  ['https://receiver.example/hook#secret', 'has a #'],
  ['https://receiver.example/hook#', 'has a #'],
  ['https://receiver.example#@10.0.0.1/', 'has a #'],
  ['https://receiver.example\\@10.0.0.1/', 'backslash'],
  ['https://receiver.example/a b', 'space'],
  ['https://receiver.example/\n', 'control character'],
  ['ht\ttps://receiver.example/', 'control character'],
  ['https://receiver.example./hook', 'dot after its host'],
  ['https://receiver..example/', 'not a valid name'],
  ['https://*.example/', 'not a valid name'],
  ['https:receiver.example', 'https://'],
  ['https:///hook', 'https://'],
  ['https://', 'https://'],
  ['ftp://receiver.example/', 'https://'],
  ['file:///etc/passwd', 'https://'],
  ['data:text/plain,x', 'https://'],
  ['receiver.example', 'https://'],
  ['', 'https://'],
  ['https://[fe80::1%25eth0]/', 'https://'],
  ['https://receiver.example:0/', 'port 0'],
  ['https://receiver.example:22/', 'the port 22'],
  ['https://receiver.example:25/', 'the port 25'],
  ['https://receiver.example:65536/', 'https://'],
  [`https://receiver.example/${'a'.repeat(2_000)}`, 'longer than 2000'],
])('%s is no URL of a webhook', (url, why) => {
  expect(refusal(url)).toContain(why);
});

it.each([
  'https://receiver.example',
  'HTTPS://Receiver.Example/Hook?wait=true&thread_id=1',
  'https://receiver.example:8443/hook',
  'https://discord.com/api/webhooks/123/abc-DEF_ghi',
  'https://hooks.slack.com/services/T00/B00/XXX',
  'https://ntfy.sh/my-farm?auth=abc',
  'https://bücher.example/@farm',
  'https://receiver.example/?next=http://10.0.0.1/@',
])('%s is one', (url) => {
  expect(refusal(url)).toBeUndefined();
});

it('judges whatever it is given without a throw, and never tells more of it than the host', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        anyText(),
        fc.webUrl(),
        fc.ipV6().map((ip) => `https://[${ip}]/`),
      ),
      (text) => {
        const reason = refusal(`${text}/very-secret-path`);
        expect(reason ?? '').not.toContain('very-secret-path');
      },
    ),
    { numRuns: count({ small: 150, long: 20_000 }) },
  );
});

const anyNotPublic = fc.constantFrom(
  ...cases.map(({ address }) => address).filter((address) => /^[0-9.]+$/.test(address)),
);

/** How people who want to get past a filter write an IPv4 address. */
const formOfIpv4 = fc.constantFrom<(address: string) => string>(
  (address) => address,
  (address) => `${address}.`,
  (address) => String(numberOf(address)),
  (address) => `0x${numberOf(address).toString(16)}`,
  (address) => `0${numberOf(address).toString(8)}`,
  (address) =>
    octets(address)
      .map((octet) => `0x${octet.toString(16)}`)
      .join('.'),
  (address) =>
    octets(address)
      .map((octet) => `0${octet.toString(8)}`)
      .join('.'),
  (address) =>
    octets(address)
      .map((octet) => `000${octet.toString(8)}`)
      .join('.'),
  (address) => {
    const [first = 0, ...rest] = octets(address);
    return `${first}.${rest.reduce((sum, octet) => sum * 256 + octet, 0)}`;
  },
  (address) => `[::ffff:${address}]`,
  (address) =>
    `[::ffff:${(numberOf(address) >>> 16).toString(16)}:${(numberOf(address) & 0xffff).toString(16)}]`,
  (address) => `[0000:0:0:0:00:FFFF:${address}]`,
  (address) => `[::${address}]`,
  (address) => `[64:ff9b::${address}]`,
  (address) => address.replaceAll(/[0-9]/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
  (address) => address.replaceAll('.', '\u3002'),
  (address) => [...address].map((one) => `%${one.charCodeAt(0).toString(16)}`).join(''),
);

function octets(address: string): readonly number[] {
  return address.split('.').map(Number);
}

function numberOf(address: string): number {
  return octets(address).reduce((sum, octet) => sum * 256 + octet, 0);
}

function inUrl(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}
