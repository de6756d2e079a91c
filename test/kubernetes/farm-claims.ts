import { type Claim, unless } from '../images/claim.ts';
import { farm, farms, first, isOurs, ours, server, sidecar } from './parts.ts';
import { containersOf, type KubernetesObject, ofKind, podsOf } from './rendered.ts';

type Objects = KubernetesObject[];

/** What is said of farms and the Job; the existing server's image is not ours. */
export const farmClaims: Claim<Objects>[] = [
  {
    says: 'the sidecar is a native one, and every word of an enumeration is one that Kubernetes knows',
    problems: (objects) => [
      ...farms(objects).flatMap(({ name, spec }) => {
        const [sidecar, ...others] = spec.initContainers ?? [];
        return [
          ...unless(sidecar?.name === 'platform-auth', `${name} does not begin with the sidecar`),
          ...unless(
            sidecar?.restartPolicy === 'Always',
            `the sidecar of ${name} is waited for until it ends`,
          ),
          ...unless(
            others.length === 0 && spec.restartPolicy === undefined,
            `${name} is put together otherwise`,
          ),
        ];
      }),
      ...ours(objects).flatMap(({ name, imagePullPolicy }) =>
        unless(imagePullPolicy === undefined, `${name} says by itself when its image is fetched`),
      ),
    ],
    breaks: {
      'a word that is almost right': (objects) => {
        sidecar(objects).restartPolicy = 'Allways';
      },
      'an init container as any other': (objects) => {
        delete sidecar(objects).restartPolicy;
      },
    },
  },
  {
    says: 'each container of ours gains no privilege, writes to volumes alone, and has no account of the cluster',
    problems: (objects) => [
      ...podsOf(objects).flatMap(({ name, spec }) => [
        ...unless(spec.automountServiceAccountToken === false, `${name} has a token of the cluster`),
        ...unless(spec.securityContext?.runAsNonRoot === true, `${name} may be root`),
        ...unless(
          spec.securityContext?.seccompProfile?.type === 'RuntimeDefault',
          `${name} has every system call`,
        ),
        ...unless(
          spec.hostNetwork === undefined &&
            spec.hostPID === undefined &&
            spec.shareProcessNamespace === undefined,
          `${name} sees what is not its own`,
        ),
      ]),
      ...ours(objects).flatMap(({ name, securityContext = {}, resources }) => [
        ...unless(securityContext.allowPrivilegeEscalation === false, `${name} may gain privileges`),
        ...unless(securityContext.readOnlyRootFilesystem === true, `${name} can change itself`),
        ...unless(securityContext.capabilities?.drop?.join() === 'ALL', `${name} keeps capabilities`),
        ...unless(securityContext.capabilities?.add === undefined, `${name} is given capabilities`),
        ...unless(resources?.limits?.['memory'] !== undefined, `${name} may take all memory`),
      ]),
    ],
    breaks: {
      'a token': (objects) => {
        delete farm(objects).automountServiceAccountToken;
      },
      root: (objects) => {
        farm(objects).securityContext.runAsNonRoot = false;
      },
      'a root that can be written': (objects) => {
        server(objects).securityContext.readOnlyRootFilesystem = false;
      },
      'a capability': (objects) => {
        server(objects).securityContext.capabilities.add = ['NET_ADMIN'];
      },
      'the processes of others': (objects) => {
        farm(objects).shareProcessNamespace = true;
      },
    },
  },
  {
    says: 'whether it lives, starts and is ready is asked by /health alone, which answers also while nobody can join',
    problems: (objects) =>
      farms(objects).flatMap((pod) =>
        containersOf(pod)
          .filter(isOurs)
          .flatMap(({ name, startupProbe, livenessProbe, readinessProbe }) => {
            const asked = [startupProbe, livenessProbe, ...(readinessProbe ? [readinessProbe] : [])];
            return asked.flatMap((probe) =>
              unless(
                probe?.httpGet?.path === '/health' && !probe.exec,
                `${name} of ${pod.name} is asked otherwise`,
              ),
            );
          }),
      ),
    breaks: {
      'whether players can join': (objects) => {
        server(objects).readinessProbe.httpGet.path = '/health/ready';
      },
      'never whether it lives': (objects) => {
        delete sidecar(objects).livenessProbe;
      },
    },
  },
  {
    says: 'a farm is one pod whose volumes stay when it goes, and the session is mounted by the sidecar alone',
    problems: (objects) =>
      ofKind(objects, 'StatefulSet').flatMap(({ metadata, spec }) => {
        const [pod] = podsOf([{ apiVersion: 'apps/v1', kind: 'StatefulSet', metadata, spec }]);
        const { persistentVolumeClaimRetentionPolicy: kept = {}, replicas } = spec;
        const withSession = (pod ? containersOf(pod) : [])
          .filter(({ volumeMounts = [] }) => volumeMounts.some(({ name }) => name === 'session'))
          .map(({ name }) => name);
        return [
          ...unless(replicas === 1, `${metadata.name} has ${replicas} pods`),
          ...unless(
            kept.whenDeleted === 'Retain' && kept.whenScaled === 'Retain',
            `${metadata.name} loses its volumes`,
          ),
          ...unless(withSession.join() === 'platform-auth', `${withSession.join()} have the session`),
          ...unless(
            spec.podManagementPolicy === 'Parallel',
            `${metadata.name} waits for a pod that never gets ready, whatever would mend it`,
          ),
        ];
      }),
    breaks: {
      two: (objects) => {
        first(objects, 'StatefulSet').spec.replicas = 2;
      },
      'volumes that go': (objects) => {
        first(objects, 'StatefulSet').spec.persistentVolumeClaimRetentionPolicy.whenDeleted = 'Delete';
      },
      'a mistake that nothing mends': (objects) => {
        delete first(objects, 'StatefulSet').spec.podManagementPolicy;
      },
      'the session for the server': (objects) =>
        server(objects).volumeMounts.push({ name: 'session', mountPath: '/session' }),
    },
  },
  {
    says: 'no Service but those of the cluster’s own network, and the sidecar in none',
    problems: (objects) =>
      ofKind(objects, 'Service').flatMap(({ metadata, spec }) => [
        ...unless(spec.type === undefined, `${metadata.name} is open to the outside`),
        ...spec.ports.flatMap(({ port }: { port: number }) =>
          unless(port !== 3001, `${metadata.name} has the sidecar`),
        ),
      ]),
    breaks: {
      'a port of each node': (objects) => {
        first(objects, 'Service').spec.type = 'NodePort';
      },
      'the sidecar': (objects) =>
        first(objects, 'Service').spec.ports.push({ name: 'sidecar', port: 3001, targetPort: 'sidecar' }),
    },
  },
];
