import { isIP } from 'node:net';
import { type Address, isWithin, type Network, networkOf } from '../../ip-networks.ts';

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
    return this.#networks.some((network) => isWithin(address, network));
  }
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
