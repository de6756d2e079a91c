import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** All addresses that begin with these bits; with all of its bits a single one. */
export type Network = readonly [first: Address, bits: number];

/** An address in any form that the system gives; one of IPv4 that is mapped into IPv6 is the one of IPv4. */
export function readAddress(text: string): Address | undefined {
  const [bare = ''] = text.split('%');
  const version = isIP(bare);
  return version === 0 ? undefined : ipaddr.process(version === 4 ? bare : inGroups(bare));
}

/** The library takes `::8.8.8.8` for 8.8.8.8, which it is to nobody else; written in groups alone it cannot be mistaken. */
function inGroups(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}

/** What IANA has given out of IPv6. Outside of it lie forms of IPv4 addresses that the library takes for public. */
const globalUnicast: Network = [ipaddr.IPv6.parse('2000::'), 3];

/** Whether everybody means the same machine by it, and it is no other address in disguise. */
export function isPublic(address: Address): boolean {
  return address.range() === 'unicast' && (address.kind() === 'ipv4' || isWithin(address, globalUnicast));
}

/** All that share so many first bits with an address; none where it has fewer. */
export function networkWith(address: Address, bits: number): Network | undefined {
  return bits <= address.toByteArray().length * 8 ? [address, bits] : undefined;
}

export function isWithin(address: Address, [first, bits]: Network): boolean {
  return address.kind() === first.kind() && address.match(first, bits);
}

/** Only what is written in full: the library would also read 10.1 and 0x7f.1, which elsewhere are something else. */
export function networkOf(address: string, bits: string | undefined): Network | undefined {
  const first = readAddress(address);
  if (first === undefined || address.includes('%')) return undefined;
  const whole = first.kind() === 'ipv4' ? 32 : 128;
  if (bits === undefined) return [first, whole];
  // A mapped network counts other bits than those of the addresses that are seen.
  if (isIP(address) === 6 && whole === 32) return undefined;
  return /^[0-9]{1,3}$/.test(bits) && Number(bits) <= whole ? [first, Number(bits)] : undefined;
}

/** A single address or a network as somebody gave it. */
export function readNetwork(text: string): Network | undefined {
  const [address = '', bits, ...more] = text.split('/');
  return more.length === 0 ? networkOf(address, bits) : undefined;
}

/** The one way to write it, so that equal networks are equal texts. */
export function printNetwork([first, bits]: Network): string {
  const isV4 = first.kind() === 'ipv4';
  const kept = first.toByteArray().map((byte, index) => {
    const inByte = Math.min(8, Math.max(0, bits - index * 8));
    return byte & (0xff << (8 - inByte)) & 0xff;
  });
  const address = ipaddr.fromByteArray(kept).toString();
  return bits === (isV4 ? 32 : 128) ? address : `${address}/${bits}`;
}

const privateRanges: ReadonlySet<string> = new Set([
  'private',
  'uniqueLocal',
  'linkLocal',
  'loopback',
  'carrierGradeNat',
  'unspecified',
]);

/** Whether many a network has it: a router, a proxy or a whole provider may stand behind it. */
export function isPrivate(address: Address): boolean {
  return privateRanges.has(address.range());
}
