import { withoutBrackets } from '@steward/service-kit/http/addresses';
import { webhookLimits } from '@steward/shared/api/webhook-parameters';
import { accepted, type Parsed, refused } from '@steward/shared/parsed';
import { type Address, isPublic, readAddress } from '../../ip-networks.ts';
import { type AllowList, isName } from './allow-list.ts';

/** Ports below this one belong to other protocols, whose servers a request might tell something. */
const firstFreePort = 1_024;

/** By the standard, whatever a resolver makes of it. */
const thisMachine = '127.0.0.1';

/** Reads the URL of a webhook, and refuses what can be seen from it alone. Reasons go on after "the URL", and hold nothing of it but the host. */
export function readDestination(text: string, allow: AllowList): Parsed<URL> {
  if (text.length > webhookLimits.urlCharacters)
    return refused(`is longer than ${webhookLimits.urlCharacters} characters`);
  if (/[\s\p{Cc}\\]/u.test(text)) return refused('has a space, a control character or a backslash');
  if (!/^https?:\/\/[^/?#]/i.test(text) || !URL.canParse(text))
    return refused('must begin with https:// and the name of a host');
  if (/^[^/]*\/\/[^/?#]*@/.test(text))
    return refused('has a user name or a password before its host, which would not be sent: leave it out');
  if (text.includes('#')) return refused('has a #, and the text after it is never sent: leave it out');
  const url = new URL(text);
  const objection = objectionToHost(url, allow);
  return objection === undefined ? accepted(url) : refused(objection);
}

/** The name or the address that the URL leads to, without the brackets of IPv6. */
export function hostOf({ hostname }: URL): string {
  return withoutBrackets(hostname);
}

/**
 * Why no request may go to this URL while its host has these addresses. All of them have to do: a receiver that everybody can reach has no
 * private address beside its public one, and which of them is taken is up to chance.
 */
export function objectionToAddresses(
  url: URL,
  addresses: readonly string[],
  allow: AllowList,
): string | undefined {
  if (allow.hasName(hostOf(url))) return undefined;
  return addresses
    .map((text) => objectionToAddress(url, readAddress(text), allow))
    .find((words) => words !== undefined);
}

function objectionToHost(url: URL, allow: AllowList): string | undefined {
  const host = hostOf(url);
  if (url.port === '0') return 'has the port 0, which cannot be used';
  if (allow.hasName(host)) return undefined;
  const address = readAddress(isLocal(host) ? thisMachine : host);
  if (address !== undefined) return objectionToAddress(url, address, allow);
  if (host.endsWith('.')) return 'has a dot after its host: leave it out';
  if (!isName(host)) return 'has a host that is not a valid name';
  // An address that is listed may be behind the name; that shows when it is looked up.
  return allow.hasNetworks ? undefined : objectionToWay(url);
}

function isLocal(host: string): boolean {
  return /(^|\.)localhost\.?$/.test(host);
}

function objectionToAddress(url: URL, address: Address | undefined, allow: AllowList): string | undefined {
  if (address === undefined) return `resolves to an invalid address: ${remedy(url)}`;
  if (allow.hasAddress(address)) return undefined;
  if (!isPublic(address)) return `resolves to ${address}, which is not a public address: ${remedy(url)}`;
  return objectionToWay(url);
}

/** What is asked of the ways to a host that everybody can reach. */
function objectionToWay(url: URL): string | undefined {
  if (url.protocol === 'http:')
    return `is plain http, so others on the way can read it and its messages: use https, or ${remedy(url)}`;
  if (url.port !== '' && Number(url.port) < firstFreePort)
    return `has the port ${url.port}, which belongs to another protocol: use 443 or a port from ${firstFreePort} on, or ${remedy(url)}`;
  return undefined;
}

function remedy(url: URL): string {
  return `list ${hostOf(url)} in WEBHOOK_ALLOW if you want this`;
}
