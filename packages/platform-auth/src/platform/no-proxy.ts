import { BlockList, isIP } from 'node:net';
import { domainToASCII } from 'node:url';

/** The hosts that are reached without a proxy, as `NO_PROXY` names them. */
export interface NoProxy {
  /** As it was given. */
  readonly text: string;
  covers(url: URL): boolean;
  /** Items that name nothing. Other programs read the variable too, so they are no error here. */
  readonly unreadable: readonly string[];
}

interface Target {
  readonly host: string;
  readonly port: number;
}

type Rule = (target: Target) => boolean;

const defaultPorts = new Map([
  ['http:', 80],
  ['ws:', 80],
  ['https:', 443],
  ['wss:', 443],
]);

/** A name, with the dots and stars that some programs want in front of it. Its last part has a letter, or it is half an address. */
const nameShape = /^(?:\*?\.)?(?<name>(?:[a-z0-9_-]+\.)*[a-z0-9_-]*[a-z][a-z0-9_-]*)\.?$/;
const withPort = /^(?<host>\[[^\]]*\]|[^:]*)(?::(?<port>\d{1,5}))?$/;
const network = /^(?<address>[^/]+)\/(?<bits>\d{1,3})$/;

/** Items stand between commas or spaces. */
export function parseNoProxy(text: string): NoProxy {
  const items = text.split(/[\s,]+/).filter((item) => item !== '');
  const rules: Rule[] = [];
  const unreadable: string[] = [];
  for (const item of items) {
    const rule = ruleOf(item);
    if (rule === undefined) unreadable.push(item);
    else rules.push(rule);
  }
  return {
    text,
    covers: (url) => {
      const target = targetOf(url);
      return rules.some((rule) => rule(target));
    },
    unreadable,
  };
}

function ruleOf(item: string): Rule | undefined {
  if (item === '*') return () => true;
  if (isIP(item) === 6) return addressRule(item);
  const subnet = network.exec(item)?.groups;
  if (subnet !== undefined) return networkRule(subnet['address'] ?? '', Number(subnet['bits']));
  const { host, port } = withPort.exec(item)?.groups ?? {};
  if (host === undefined) return undefined;
  const rule = isIP(bare(host)) === 0 ? nameRule(host) : addressRule(bare(host));
  if (rule === undefined || port === undefined) return rule;
  return (target) => target.port === Number(port) && rule(target);
}

/** The name itself, and all below it. */
function nameRule(text: string): Rule | undefined {
  const ascii = /[^ -~]/.test(text) ? domainToASCII(text) : text.toLowerCase();
  const name = nameShape.exec(ascii)?.groups?.['name'];
  if (name === undefined) return undefined;
  return ({ host }) => host === name || host.endsWith(`.${name}`);
}

function addressRule(address: string): Rule {
  return networkRule(address, isIP(address) === 6 ? 128 : 32) ?? (() => false);
}

function networkRule(text: string, bits: number): Rule | undefined {
  const address = bare(text);
  const family = isIP(address);
  if (family === 0 || bits > (family === 6 ? 128 : 32)) return undefined;
  const members = new BlockList();
  members.addSubnet(address, bits, familyName(family));
  return ({ host }) => isIP(host) !== 0 && members.check(host, familyName(isIP(host)));
}

function targetOf(url: URL): Target {
  const host = bare(url.hostname.toLowerCase()).replace(/\.$/, '');
  return { host, port: Number(url.port) || (defaultPorts.get(url.protocol) ?? 0) };
}

/** An IPv6 address without the brackets that URLs need. */
function bare(host: string): string {
  return host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
}

function familyName(family: number): 'ipv4' | 'ipv6' {
  return family === 6 ? 'ipv6' : 'ipv4';
}
