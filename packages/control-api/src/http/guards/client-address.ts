import { isIP, isIPv6, SocketAddress } from 'node:net';
import { plainAddress } from '@steward/service-kit/http/addresses';

/** A person has a whole /64 of IPv6; counting single addresses of it would count nothing. */
const countedGroups = 4;

/**
 * By which a client is counted: an IPv4 address, or the network of an IPv6 one. A socket whose client has gone has no address any
 * more, whatever the framework's types say of it.
 */
export function clientOf(address: string | undefined): string {
  if (address === undefined) return 'gone';
  const whole = plainAddress(address);
  const [bare = ''] = whole.split('%');
  return isIPv6(bare) ? `${network(bare)}::/64` : whole;
}

function network(address: string): string {
  const [head = '', tail] = new SocketAddress({ address, family: 'ipv6' }).address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - groups.length - last.length);
  return [...groups, ...Array<string>(zeros).fill('0'), ...last].slice(0, countedGroups).join(':');
}

/** An address, or a network with the length of its prefix; undefined for anything else, and for all addresses: anybody could fake theirs. */
export function addressOrNetwork(text: string): string | undefined {
  const [address = '', prefix, ...more] = text.split('/');
  const bits = isIP(address) === 4 ? 32 : isIP(address) === 6 ? 128 : undefined;
  if (bits === undefined || more.length > 0) return undefined;
  if (prefix === undefined) return text;
  const isNetwork = /^[0-9]{1,3}$/.test(prefix) && Number(prefix) > 0 && Number(prefix) <= bits;
  return isNetwork ? text : undefined;
}
