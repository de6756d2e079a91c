import { BlockList, isIPv6 } from 'node:net';
import { type Claim, unless } from '../images/claim.ts';
import { first } from './parts.ts';
import { type KubernetesObject, ofKind } from './rendered.ts';

type Objects = KubernetesObject[];

/** Of places outside of the pod, and whether a farm with the component `network-policy` may talk to them. */
const places: readonly [what: string, address: string, port: number, may: boolean][] = [
  ['the platform', '162.254.197.40', 27_017, true],
  ['a web server', '2606:4700::1111', 443, true],
  ['the cluster’s DNS', '10.96.0.10', 53, true],
  ['a cache of names on the node', '169.254.20.10', 53, true],
  ['the cluster’s API', '10.96.0.1', 443, false],
  ['the cloud’s metadata', '169.254.169.254', 80, false],
  ['a machine of the network around', '192.168.1.10', 22, false],
  ['the same by IPv6', 'fd00::10', 22, false],
];

export const networkClaims: Claim<Objects>[] = [
  {
    says: 'a farm that is kept to the internet reaches that, and names wherever they are given',
    problems: (objects) =>
      ofKind(objects, 'NetworkPolicy')
        .filter(({ spec }) => spec.policyTypes.includes('Egress'))
        .flatMap(({ metadata, spec }) =>
          places.flatMap(([what, address, port, may]) =>
            unless(
              reaches(spec.egress, address, port) === may,
              `${metadata.name}: ${what} is ${may ? 'out of' : 'within'} reach`,
            ),
          ),
        ),
    breaks: {
      'the DNS of one namespace alone': (objects) => {
        const to = [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } } }];
        Object.assign(egress(objects)[0], { to });
      },
      'the cloud’s metadata': (objects) => {
        const { ipBlock } = egress(objects)[1].to[0];
        ipBlock.except = ipBlock.except.filter((block: string) => !block.startsWith('169.'));
      },
      'no internet': (objects) => egress(objects).pop(),
    },
  },
];

/** A place that is no pod that a rule could name. */
function reaches(rules: readonly KubernetesObject[], address: string, port: number): boolean {
  return rules.some(({ to, ports }) => {
    const isPort = ports === undefined || ports.some((known: { port: number }) => known.port === port);
    const isPlace =
      to === undefined ||
      to.some(
        ({ ipBlock }: KubernetesObject) =>
          ipBlock !== undefined && within([ipBlock.cidr], address) && !within(ipBlock.except ?? [], address),
      );
    return isPort && isPlace;
  });
}

function within(blocks: readonly string[], address: string): boolean {
  const list = new BlockList();
  for (const block of blocks) {
    const [network = '', prefix] = block.split('/');
    // A list takes each IPv4 address for one of IPv6, too.
    if (isIPv6(network) === isIPv6(address))
      list.addSubnet(network, Number(prefix), isIPv6(network) ? 'ipv6' : 'ipv4');
  }
  return list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

function egress(objects: Objects) {
  return first(objects, 'NetworkPolicy', 'farm-egress')['spec'].egress;
}
