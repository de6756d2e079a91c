import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

type Network = readonly [first: Address, bits: number];

/** What `WEBHOOK_ALLOW` lists: a host by its name, or a network, which may be of a single address. */
export type Allowed = { readonly name: string } | { readonly network: Network };

/** Undefined for what is neither. No names by pattern: whoever answers for a zone could put anything into it. */
export function readAllowed(text: string): Allowed | undefined {
  const [address = '', bits, ...more] = text.split('/');
  const network = more.length === 0 ? networkOf(address, bits) : undefined;
  if (network !== undefined) return { network };
  const name = bits === undefined ? hostNameOf(text) : undefined;
  return name === undefined ? undefined : { name };
}

/** The places, other than public ones, that webhooks may go to. */
export class AllowList {
  readonly #names: ReadonlySet<string>;
  readonly #networks: readonly Network[];

  constructor(allowed: readonly Allowed[]) {
    this.#names = new Set(allowed.flatMap((one) => ('name' in one ? [one.name] : [])));
    this.#networks = allowed.flatMap((one) => ('network' in one ? [one.network] : []));
  }

  /** Whether any name could lead to an address that is listed. */
  get hasNetworks(): boolean {
    return this.#networks.length > 0;
  }

  hasName(host: string): boolean {
    return this.#names.has(host);
  }

  hasAddress(address: Address): boolean {
    return this.#networks.some(([first, bits]) => isWithin(address, first, bits));
  }
}

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
  return address.range() === 'unicast' && (address.kind() === 'ipv4' || isWithin(address, ...globalUnicast));
}

function isWithin(address: Address, first: Address, bits: number): boolean {
  return address.kind() === first.kind() && address.match(first, bits);
}

/** Only what is written in full: the library would also read 10.1 and 0x7f.1, which elsewhere are something else. */
function networkOf(address: string, bits: string | undefined): Network | undefined {
  const first = readAddress(address);
  if (first === undefined || address.includes('%')) return undefined;
  const whole = first.kind() === 'ipv4' ? 32 : 128;
  if (bits === undefined) return [first, whole];
  // A mapped network counts other bits than those of the addresses that are seen.
  if (isIP(address) === 6 && whole === 32) return undefined;
  return /^[0-9]{1,3}$/.test(bits) && Number(bits) <= whole ? [first, Number(bits)] : undefined;
}

const hostName = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/;

/** In the form that URLs bring names into. */
function hostNameOf(text: string): string | undefined {
  if (!URL.canParse(`http://${text}`)) return undefined;
  const { host, href } = new URL(`http://${text}`);
  return href === `http://${host}/` && isName(host) && !text.includes('/') ? host : undefined;
}

export function isName(host: string): boolean {
  return isIP(host) === 0 && hostName.test(host);
}
