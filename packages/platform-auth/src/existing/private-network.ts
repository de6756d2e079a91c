import { BlockList, isIPv4 } from 'node:net';

/** Addresses that no packet from the internet carries: this machine's, a container network's, a house's. */
const networks: readonly [address: string, prefix: number, family: 'ipv4' | 'ipv6'][] = [
  ['127.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['::1', 128, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
];

const privateAddresses = new BlockList();
for (const network of networks) privateAddresses.addSubnet(...network);

const mappedPrefix = '::ffff:';

/** Whether a connection comes from a private network. An IPv4 address counts as itself also where IPv6 carries it. */
export function isPrivate(address: string | undefined): boolean {
  if (address === undefined) return false;
  const [bare = ''] = address.toLowerCase().split('%');
  const mapped = bare.startsWith(mappedPrefix) ? bare.slice(mappedPrefix.length) : bare;
  if (isIPv4(mapped)) return privateAddresses.check(mapped, 'ipv4');
  return privateAddresses.check(bare, 'ipv6');
}
