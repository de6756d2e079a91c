import type { Claim } from '../images/claim.ts';
import { farm, first, server } from './parts.ts';
import { wrongPorts } from './ports.ts';
import { containersOf, type KubernetesObject, ofKind, type Pod, podsOf, selects } from './rendered.ts';

type Objects = KubernetesObject[];

/** What objects name of each other, which no schema sees: all that is applied to one namespace, however often it is applied. */
export const referenceClaims: Claim<Objects>[] = [
  {
    says: 'each object has a name of its own, in a form and of a length that Kubernetes takes',
    problems: (objects) => {
      const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
      const twice = names.filter((name, index) => names.indexOf(name) !== index);
      // A set's pods have a label of its name and eleven characters more, and labels end at 63.
      const long = objects.filter(
        ({ kind, metadata: { name } }) => name.length > (kind === 'StatefulSet' ? 52 : 63),
      );
      const malformed = objects.filter(
        ({ metadata: { name } }) => !/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(name),
      );
      return [
        ...twice.map((name) => `${name} is there twice`),
        ...[...long, ...malformed].map(({ kind, metadata }) => `${kind} cannot be called ${metadata.name}`),
      ];
    },
    breaks: {
      'a twin': (objects) => objects.push(structuredClone(first(objects, 'Service'))),
      'an underscore': (objects) => {
        first(objects, 'Service').metadata.name = 'farm_hill';
      },
      'a long name': (objects) => {
        first(objects, 'StatefulSet').metadata.name = 'f'.repeat(53);
      },
    },
  },
  {
    says: 'all of it is in one namespace',
    problems: (objects) => {
      const spaces = new Set(
        objects.filter(({ kind }) => kind !== 'Namespace').map(({ metadata }) => metadata.namespace),
      );
      return spaces.size === 1 && !spaces.has(undefined) ? [] : [`it is in ${[...spaces].join()}`];
    },
    breaks: {
      another: (objects) => {
        first(objects, 'Secret').metadata.namespace = 'default';
      },
    },
  },
  {
    says: 'each volume that a container mounts is there once, and each that is there is mounted',
    problems: (objects) =>
      podsOf(objects).flatMap((pod) => {
        const there = [...pod.claims, ...(pod.spec.volumes ?? []).map(({ name }) => name)];
        const mounted = containersOf(pod).flatMap(({ volumeMounts = [] }) =>
          volumeMounts.map(({ name }) => name),
        );
        return [
          ...mounted
            .filter((name) => !there.includes(name))
            .map((name) => `${pod.name} has no volume ${name}`),
          ...there
            .filter((name) => !mounted.includes(name))
            .map((name) => `nobody mounts ${name} of ${pod.name}`),
          ...there
            .filter((name, index) => there.indexOf(name) !== index)
            .map((name) => `${pod.name} has two volumes ${name}`),
        ];
      }),
    breaks: {
      'a mount of nothing': (objects) => {
        server(objects).volumeMounts[0].name = 'farms';
      },
      'a volume too many': (objects) => farm(objects).volumes.push({ name: 'cache', emptyDir: {} }),
      'a claim and a volume of one name': (objects) =>
        farm(objects).volumes.push({ name: 'farm', emptyDir: {} }),
    },
  },
  {
    says: 'each ConfigMap, Secret and claim that a pod names is there, with the keys that it names',
    problems: (objects) =>
      podsOf(objects).flatMap((pod) => namedBy(pod).flatMap((named) => missing(named, objects))),
    breaks: {
      'no ConfigMap': (objects) => remove(objects, 'ConfigMap', 'server-hill'),
      'no Secret': (objects) => remove(objects, 'Secret', 'farm-river'),
      'no claim': (objects) => remove(objects, 'PersistentVolumeClaim', 'game-files'),
      'a Secret without the key': (objects) => {
        delete first(objects, 'Secret').data['API_KEY'];
      },
      'a key of nothing': (objects) => {
        for (const { data } of ofKind(objects, 'Secret')) delete data.PLATFORM_USERNAME;
      },
    },
  },
  {
    says: 'each port that a probe, a Service or a rule for the network names is one of the container or pod that it is about',
    problems: wrongPorts,
    breaks: {
      'a probe of another container’s port': (objects) => {
        server(objects).livenessProbe.httpGet.port = 'sidecar';
      },
      'a Service of none': (objects) => {
        first(objects, 'Service').spec.ports[0].targetPort = 'http';
      },
      'a rule of none': (objects) => {
        for (const { spec } of ofKind(objects, 'NetworkPolicy'))
          for (const { ports = [] } of spec.ingress ?? []) for (const port of ports) port.port = 80;
      },
      'an Ingress of none': (objects) => {
        first(objects, 'Ingress').spec.rules[0].http.paths[0].backend.service.port.name = 'http';
      },
      'an Ingress of no Service': (objects) => {
        first(objects, 'Ingress').spec.rules[0].http.paths[0].backend.service.name = 'page';
      },
      'a monitor of none': (objects) => {
        first(objects, 'PodMonitor').spec.podMetricsEndpoints[0].port = 'metrics';
      },
    },
  },
  {
    says: 'what speaks of a farm speaks of its pod, and of no other',
    problems: (objects) =>
      ['StatefulSet', 'Service', 'NetworkPolicy'].flatMap((kind) =>
        ofKind(objects, kind).flatMap(({ metadata, spec }) => {
          const selector = kind === 'NetworkPolicy' ? spec.podSelector : spec.selector;
          const met = podsOf(objects).filter(({ labels }) =>
            selects(selector.matchLabels ?? selector, labels),
          );
          const farms = met.map(({ labels }) => labels['farm']);
          return farms.join() === metadata.labels?.['farm']
            ? []
            : [`${kind} ${metadata.name} is about: ${farms.join()}`];
        }),
      ),
    breaks: {
      'a Service for all': (objects) => {
        delete first(objects, 'Service').spec.selector.farm;
      },
      'a rule for nobody': (objects) => {
        first(objects, 'NetworkPolicy').spec.podSelector.matchLabels.farm = 'hills';
      },
    },
  },
  {
    says: 'a set and its Service find each other, and a monitor has the pod and the keys of its own farm',
    problems: (objects) => [
      ...ofKind(objects, 'StatefulSet')
        .filter(({ spec }) => !has(objects, 'Service', spec.serviceName))
        .map(({ metadata }) => `${metadata.name} has no Service`),
      ...ofKind(objects, 'PodMonitor').flatMap(({ metadata, spec }) =>
        spec.podMetricsEndpoints.flatMap(
          ({ authorization: { credentials }, relabelings }: KubernetesObject) => {
            const secret = objects.find(
              ({ kind, metadata: found }) => kind === 'Secret' && found.name === credentials.name,
            );
            const kept = relabelings.find(({ action }: KubernetesObject) => action === 'keep')?.regex;
            return [
              ...(secret?.['data'][credentials.key] === undefined
                ? [`${metadata.name} has no ${credentials.key}`]
                : []),
              ...(kept === metadata.name && has(objects, 'StatefulSet', kept)
                ? []
                : [`${metadata.name} keeps ${kept}`]),
            ];
          },
        ),
      ),
    ],
    breaks: {
      'another Service': (objects) => {
        first(objects, 'StatefulSet').spec.serviceName = 'farm';
      },
      'a monitor of the base’s names': (objects) => {
        first(objects, 'PodMonitor').spec.podMetricsEndpoints[1].relabelings[0].regex = 'farm';
      },
      'no key': (objects) => {
        first(objects, 'PodMonitor').spec.podMetricsEndpoints[0].authorization.credentials.name = 'farm';
      },
    },
  },
];

interface Named {
  readonly by: string;
  readonly kind: 'ConfigMap' | 'Secret' | 'PersistentVolumeClaim';
  readonly name: string | undefined;
  readonly keys?: readonly string[];
}

function namedBy(pod: Pod): Named[] {
  const by = pod.name;
  const inVolumes = (pod.spec.volumes ?? []).map((volume): Named | undefined => {
    const { secret, configMap, persistentVolumeClaim } = volume;
    // One that is optional may lack a key, and is still the right Secret.
    const keys = secret?.optional ? [] : (secret?.items ?? []).map(({ key }) => key);
    if (secret !== undefined) return { by, kind: 'Secret', name: secret.secretName, keys };
    if (configMap !== undefined) return { by, kind: 'ConfigMap', name: configMap.name };
    return (
      persistentVolumeClaim && { by, kind: 'PersistentVolumeClaim', name: persistentVolumeClaim.claimName }
    );
  });
  const inContainers = containersOf(pod).flatMap(({ env = [], envFrom = [] }): (Named | undefined)[] => [
    ...envFrom.map(({ configMapRef }): Named => ({ by, kind: 'ConfigMap', name: configMapRef?.name })),
    ...env.map(({ valueFrom }): Named | undefined => {
      const ref = valueFrom?.secretKeyRef;
      return ref && { by, kind: 'Secret', name: ref.name, keys: [ref.key] };
    }),
  ]);
  return [...inVolumes, ...inContainers].filter((named) => named !== undefined);
}

function missing({ by, kind, name, keys = [] }: Named, objects: Objects): string[] {
  const found = objects.find((object) => object.kind === kind && object.metadata.name === name);
  if (found === undefined) return [`${by} names ${kind} ${name}, which is not there`];
  return keys
    .filter((key) => found['data'][key] === undefined)
    .map((key) => `${by} wants ${key} of ${kind} ${name}`);
}

function has(objects: Objects, kind: string, name: string): boolean {
  return objects.some((object) => object.kind === kind && object.metadata.name === name);
}

function remove(objects: Objects, kind: string, beginning: string): void {
  const at = objects.findIndex(
    (object) => object.kind === kind && object.metadata.name.startsWith(beginning),
  );
  if (at === -1) throw new Error(`there is no ${kind} ${beginning}`);
  objects.splice(at, 1);
}
