/** The claim of what clients of the emulated platform need: whom to trust, and the key of its tickets. */
export const clients = 'clients';

/** The emulated platform as a pod of the namespace, with an account for each farm, as podsOf gives one. */
export function platformPod(namespace, accounts, mounts) {
  const name = `${namespace}-platform`;
  const container = {
    name: 'platform',
    image: 'steward-demo-platform',
    imagePullPolicy: 'Never',
    args: [
      ...['--host', '0.0.0.0', '--port', '8443', '--name', name],
      ...accounts.flatMap((account) => ['--account', `${account}:${account}`]),
      ...['--clients', '/data/clients', '--keep', '/data/platform'],
    ],
    volumeMounts: [
      { name: `${name}-clients`, mountPath: '/data/clients' },
      { name: `${name}-keys`, mountPath: '/data/platform' },
    ],
  };
  const volumes = [clients, 'keys'].map((claim) => ({
    name: `${name}-${claim}`,
    hostPath: { path: mounts.claim(claim, { fsGroup: 1000 }), type: 'Directory' },
  }));
  const pod = { restartPolicy: 'Never', containers: [container], volumes };
  return {
    name,
    sidecars: [],
    containers: [{ name: 'platform', others: [] }],
    graceMs: 10_000,
    objects: [{ apiVersion: 'v1', kind: 'Pod', metadata: { name, labels: { name } }, spec: pod }],
  };
}
