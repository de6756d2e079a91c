import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseNoProxy } from './no-proxy.ts';

function covers(text: string, url: string): boolean {
  return parseNoProxy(text).covers(new URL(url));
}

describe('NO_PROXY covers', () => {
  it.each([
    ['example.com', 'https://example.com'],
    ['example.com', 'https://a.b.example.com/path'],
    ['.example.com', 'http://a.example.com'],
    ['.example.com', 'http://example.com'],
    ['*.example.com', 'http://a.example.com'],
    ['EXAMPLE.com.', 'wss://a.Example.COM.:8443'],
    ['bücher.example', 'https://www.bücher.example'],
    ['example.com:8443', 'https://example.com:8443'],
    ['example.com:443', 'wss://a.example.com'],
    ['example.com:80', 'http://a.example.com'],
    ['10.1.2.3', 'http://10.1.2.3:8080'],
    ['10.1.2.3:8080', 'http://10.1.2.3:8080'],
    ['10.0.0.0/8', 'https://10.255.0.1'],
    ['::1', 'http://[::1]'],
    ['[2001:db8::1]:81', 'http://[2001:db8:0::1]:81'],
    ['2001:db8::/32', 'http://[2001:db8:ffff::7]'],
    ['10.0.0.0/8', 'http://[::ffff:10.1.1.1]'],
    ['nothing.example, *', 'https://anything.at.all'],
    ['a.example b.example\tc.example', 'https://c.example'],
  ])('with %j: %s', (text, url) => expect(covers(text, url)).toBe(true));

  it.each([
    ['', 'https://example.com'],
    ['example.com', 'https://notexample.com'],
    ['example.com', 'https://example.com.evil.example'],
    ['a.example.com', 'https://example.com'],
    ['example.com:80', 'https://example.com'],
    ['com:80', 'https://example.com'],
    ['10.1.2.3', 'http://110.1.2.3'],
    ['10.0.0.0/8', 'http://11.0.0.1'],
    ['10.0.0.0/8', 'http://10.example.com'],
    ['0.0.0.0/0', 'http://[2001:db8::1]'],
    ['10.1.2.3:80', 'http://10.1.2.3:8080'],
  ])('not with %j: %s', (text, url) => expect(covers(text, url)).toBe(false));
});

it.each([
  ['10.0.0.0/33'],
  ['::/129'],
  ['<local>'],
  ['10.'],
  ['192.168'],
  ['http://example.com'],
  ['example.com:99999999'],
  ['a..b'],
])('names %j as unreadable, and reads the rest', (item) => {
  const parsed = parseNoProxy(`first.example,${item},last.example`);
  expect(parsed.unreadable).toEqual([item]);
  expect(parsed.covers(new URL('https://last.example'))).toBe(true);
});

const label = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);
const name = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.'));
const port = fc.integer({ min: 1, max: 65_535 });

it('covers a name, all below it, and nothing that only looks like it', () => {
  fc.assert(
    fc.property(name, label, (parent, child) => {
      const listed = parseNoProxy(parent);
      expect(listed.covers(new URL(`https://${parent}`))).toBe(true);
      expect(listed.covers(new URL(`https://${child}.${parent}`))).toBe(true);
      expect(listed.covers(new URL(`https://${child}${parent}`))).toBe(false);
      expect(listed.covers(new URL(`https://${parent}.${child}x`))).toBe(
        `${parent}.${child}x`.endsWith(`.${parent}`),
      );
    }),
  );
});

it('covers no other port than the one that is named', () => {
  fc.assert(
    fc.property(name, port, port, (host, listed, asked) => {
      expect(covers(`${host}:${listed}`, `https://${host}:${asked}`)).toBe(listed === asked);
    }),
  );
});

it('covers exactly the addresses whose first bits are those of the network', () => {
  const bits = (address: number) => address.toString(2).padStart(32, '0');
  const dotted = (address: number) => [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join('.');
  const address = fc.integer({ min: 0, max: 2 ** 32 - 1 });
  fc.assert(
    fc.property(address, address, fc.integer({ min: 0, max: 32 }), (network, other, length) => {
      const near = (network ^ (other >>> length)) >>> 0;
      for (const host of [other, near]) {
        const expected = bits(network).slice(0, length) === bits(host).slice(0, length);
        expect(covers(`${dotted(network)}/${length}`, `http://${dotted(host)}`)).toBe(expected);
      }
    }),
  );
});

it('takes any text', () => {
  fc.assert(
    fc.property(fc.string(), fc.webUrl(), (text, url) => {
      const parsed = parseNoProxy(text);
      parsed.covers(new URL(url));
      for (const item of parsed.unreadable) expect(text).toContain(item);
    }),
  );
});
