import { containersOf, type KubernetesObject, ofKind, type Pod, podsOf, selects } from './rendered.ts';

type Objects = KubernetesObject[];

/** Each port that is named and that nobody has, in words. */
export function wrongPorts(objects: Objects): string[] {
  return [...wrongProbes(objects), ...wrongTargets(objects), ...wrongRules(objects)];
}

function wrongProbes(objects: Objects): string[] {
  return podsOf(objects)
    .flatMap(containersOf)
    .flatMap(({ name, ports = [], startupProbe, livenessProbe, readinessProbe }) =>
      [startupProbe, livenessProbe, readinessProbe]
        .map((probe) => probe?.httpGet?.port)
        .filter((port) => port !== undefined && !ports.some((known) => known.name === port))
        .map((port) => `${name} has no port ${port}`),
    );
}

function wrongTargets(objects: Objects): string[] {
  const services = ofKind(objects, 'Service').flatMap(({ metadata, spec }) =>
    spec.ports
      .filter(({ port, targetPort }: { port: number; targetPort: string }) =>
        podsOf(objects)
          .filter(({ labels }) => selects(spec.selector, labels))
          .every(
            (pod) =>
              !portsOf(pod).some(({ name, containerPort }) => name === targetPort && containerPort === port),
          ),
      )
      .map(({ targetPort }: { targetPort: string }) => `Service ${metadata.name} leads to no ${targetPort}`),
  );
  const backends = ofKind(objects, 'Ingress').flatMap(({ spec }) =>
    spec.rules.flatMap(({ http }: KubernetesObject) =>
      http.paths
        .map(({ backend }: KubernetesObject) => backend.service)
        .filter(
          ({ name, port }: KubernetesObject) =>
            !ofKind(objects, 'Service').some(
              (service) =>
                service.metadata.name === name &&
                service['spec'].ports.some((known: { name: string }) => known.name === port.name),
            ),
        )
        .map(({ name }: KubernetesObject) => `an Ingress leads to no ${name}`),
    ),
  );
  return [...services, ...backends];
}

function wrongRules(objects: Objects): string[] {
  const monitored = ofKind(objects, 'PodMonitor').flatMap(({ spec }) =>
    spec.podMetricsEndpoints.map(({ port }: { port: string }) => ({
      selector: spec.selector.matchLabels,
      port,
    })),
  );
  const admitted = ofKind(objects, 'NetworkPolicy').flatMap(({ spec }) =>
    (spec.ingress ?? []).flatMap(({ ports }: { ports: { port: number }[] }) =>
      ports.map(({ port }) => ({ selector: spec.podSelector.matchLabels, port })),
    ),
  );
  return [...monitored, ...admitted]
    .filter(({ selector, port }) => {
      const pods = podsOf(objects).filter(({ labels }) => selects(selector, labels));
      return !pods.some((pod) =>
        portsOf(pod).some(({ name, containerPort }) => name === port || containerPort === port),
      );
    })
    .map(({ port }) => `no pod has a port ${port}`);
}

function portsOf(pod: Pod) {
  return containersOf(pod).flatMap(({ ports = [] }) => ports);
}
