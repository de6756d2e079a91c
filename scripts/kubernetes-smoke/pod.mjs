// Cuts out of rendered objects the pods that a cluster would make of them, in the form that Podman's `kube play` takes. What it lacks
// is done here, or by who plays the pod: namespaces, native sidecars, probes, hooks, volumes, fields of the pod in variables.

/** Each StatefulSet and Job as a pod, with what has to be done for it besides. */
export function podsOf(objects, mounts) {
  const owners = objects.filter(({ kind }) => kind === 'StatefulSet' || kind === 'Job');
  return owners.map((owner) => podOf(owner, objects, mounts));
}

function podOf({ kind, metadata, spec: { template, volumeClaimTemplates = [] } }, objects, mounts) {
  const inCluster = kind === 'StatefulSet' ? `${metadata.name}-0` : metadata.name;
  const name = nameIn(metadata.namespace, inCluster);
  const {
    initContainers = [],
    containers,
    volumes = [],
    terminationGracePeriodSeconds = 30,
    ...rest
  } = template.spec;
  const sidecars = initContainers.filter(({ restartPolicy }) => restartPolicy === 'Always');
  if (sidecars.length < initContainers.length)
    throw new Error(`${name} has containers that end before it starts`);

  const claims = volumeClaimTemplates.map(({ metadata: { name: claim } }) => ({
    name: claim,
    persistentVolumeClaim: { claimName: `${claim}-${inCluster}` },
  }));
  const kept = [...sidecars, ...containers].map((container) =>
    playable(container, name, template.metadata.labels, objects),
  );
  const { fsGroup } = rest.securityContext;
  const made = volumesFor([...volumes, ...claims], { name, fsGroup }, { objects, mounts });
  return {
    name,
    sidecars: sidecars.map((container) => watched(container)),
    containers: containers.map((container) => watched(container)),
    graceMs: terminationGracePeriodSeconds * 1_000,
    objects: [
      ...objects.filter((object) => object.kind === 'ConfigMap'),
      {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name, labels: template.metadata.labels },
        // Who has ended is not started again by Podman: whether it had to be is what is looked at.
        spec: { ...rest, restartPolicy: 'Never', containers: kept, volumes: made },
      },
    ],
  };
}

/** What a kubelet would do with a container, beside running it. */
function watched({ name, startupProbe, readinessProbe, livenessProbe, lifecycle, ports = [] }) {
  const probe = (given) =>
    given && {
      path: given.httpGet.path,
      port: ports.find((port) => port.name === given.httpGet.port)?.containerPort ?? given.httpGet.port,
      limitMs: (given.periodSeconds ?? 10) * (given.failureThreshold ?? 3) * 1_000,
    };
  return {
    name,
    startup: probe(startupProbe),
    others: [readinessProbe, livenessProbe].filter(Boolean).map(probe),
    preStop: lifecycle?.preStop?.exec.command,
  };
}

/** Probes and hooks are not Podman's, a port of its would be open on the machine, and an image is never fetched. */
function playable(container, pod, labels, objects) {
  const { restartPolicy, startupProbe, readinessProbe, livenessProbe, lifecycle, ports, ...rest } = container;
  return {
    ...rest,
    imagePullPolicy: 'Never',
    env: rest.env?.map(({ name, value, valueFrom }) => ({
      name,
      value: value ?? textFrom(valueFrom, { labels, objects }),
    })),
    volumeMounts: rest.volumeMounts.map((mount) => ({ ...mount, name: nameIn(pod, mount.name) })),
  };
}

function textFrom({ fieldRef, secretKeyRef }, { labels, objects }) {
  if (secretKeyRef !== undefined) return decoded(secretNamed(secretKeyRef.name, objects)[secretKeyRef.key]);
  const [, label] = /^metadata\.labels\['(.+)'\]$/.exec(fieldRef.fieldPath) ?? [];
  if (label === undefined) throw new Error(`${fieldRef.fieldPath} is not known here`);
  return labels[label] ?? '';
}

function secretNamed(name, objects) {
  return objects.find(({ kind, metadata }) => kind === 'Secret' && metadata.name === name).data;
}

function decoded(value) {
  return Buffer.from(value, 'base64').toString();
}

/** As a kubelet mounts them; what is empty is Podman's, which has one name for all that is called so, in whichever pod. */
function volumesFor(volumes, { name: pod, fsGroup }, { objects, mounts }) {
  return volumes.map(({ name: volume, secret, configMap, persistentVolumeClaim }) => {
    const name = nameIn(pod, volume);
    const from = (path) => ({ name, hostPath: { path, type: 'Directory' } });
    if (persistentVolumeClaim !== undefined)
      return from(mounts.claim(persistentVolumeClaim.claimName, { fsGroup }));
    if (secret !== undefined)
      return from(mounts.texts(name, textsOf(secret, objects), { fsGroup, mode: secret.defaultMode }));
    if (configMap !== undefined)
      return from(mounts.texts(name, mapNamed(configMap.name, objects), { fsGroup }));
    return { name, emptyDir: {} };
  });
}

function textsOf({ secretName, items, optional }, objects) {
  const data = secretNamed(secretName, objects);
  const there = items.filter(({ key }) => data[key] !== undefined || !optional);
  return Object.fromEntries(there.map(({ key, path }) => [path, decoded(data[key])]));
}

function mapNamed(name, objects) {
  return objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === name).data;
}

function nameIn(whole, part) {
  return `${whole}-${part}`;
}
