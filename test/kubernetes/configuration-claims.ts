import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import type { Container } from 'kubernetes-types/core/v1.js';
import { variables as controlApi } from '../../packages/control-api/src/configuration.ts';
import { stopLimitMs } from '../../packages/control-api/src/serve.ts';
import { variables as platformAuth } from '../../packages/platform-auth/src/configuration.ts';
import { readConfiguration } from '../../packages/service-kit/src/configuration/read.ts';
import type { VariableTable } from '../../packages/service-kit/src/configuration/variable.ts';
import { type Claim, unless } from '../images/claim.ts';
import { farm, farms, first, isOurs, server } from './parts.ts';
import { containersOf, type KubernetesObject, type Pod, podsOf } from './rendered.ts';

type Objects = KubernetesObject[];

/** As long as base/drain.mjs waits, for the last answer, too; a test says that it is. */
export const preStopLimitMs = 200_000;

const tables: Readonly<Record<string, VariableTable>> = { server: controlApi, 'platform-auth': platformAuth };

/** Which keys of the farm's Secret each container may be shown. */
const mayKnow: Readonly<Record<string, readonly string[]>> = {
  server: ['API_KEY', 'PLATFORM_AUTH_SECRET', 'EXISTING_API_KEY'],
  'platform-auth': ['PLATFORM_AUTH_SECRET', 'PLATFORM_REFRESH_TOKEN'],
  download: ['PLATFORM_REFRESH_TOKEN'],
};

/** What the services are told, and what they are shown of the Secret. */
export const configurationClaims: Claim<Objects>[] = [
  {
    says: 'a secret comes by a file that is there, to the container that needs it',
    problems: (objects) =>
      podsOf(objects).flatMap((pod) =>
        containersOf(pod)
          .filter(isOurs)
          .flatMap((container) => {
            const shown = Object.keys(filesOf(container, pod));
            const environment = environmentOf(container, pod, objects);
            const known = Object.values(tables).flatMap((table) => Object.entries(table));
            return [
              ...shown
                .map((path) => path.slice(path.lastIndexOf('/') + 1))
                .filter((key) => mayKnow[container.name]?.includes(key) !== true)
                .map((key) => `${container.name} of ${pod.name} is shown ${key}`),
              ...known
                .filter(([name, { kind }]) => kind.secret === true && environment[name] !== undefined)
                .map(([name]) => `${container.name} of ${pod.name} has ${name} in its environment`),
              ...Object.entries(environment)
                .filter(([name, path = '']) => name.endsWith('_FILE') && !shown.includes(path))
                .map(([name, path]) => `${name} of ${pod.name} names ${path}, which is not there`),
            ];
          }),
      ),
    breaks: {
      'the token for the server': (objects) =>
        secretsOf(objects, 'server').push({ key: 'PLATFORM_REFRESH_TOKEN', path: 'PLATFORM_REFRESH_TOKEN' }),
      'all keys': (objects) => {
        const { volumes } = farm(objects);
        delete volumes.find(({ name }: { name: string }) => name === 'server-secrets').secret.items;
      },
      'a key in the environment': (objects) => {
        server(objects).env.push({ name: 'API_KEY', value: 'a-key-that-everybody-reads' });
      },
      'a file of nothing': (objects) => {
        secretsOf(objects, 'server').shift();
      },
    },
  },
  {
    says: 'what a service is told, it reads, and could start with',
    problems: (objects) =>
      podsOf(objects).flatMap((pod) =>
        containersOf(pod)
          .filter(({ name }) => name in tables)
          .flatMap((container) => notRead(container, pod, objects)),
      ),
    breaks: {
      'a variable that nobody reads': (objects) => {
        first(objects, 'ConfigMap', 'server').data.GAME_SAVE_DIR = '/data/saves';
      },
      'a value that is none': (objects) => {
        first(objects, 'ConfigMap', 'server').data.GAME_BRIDGE = 'spawned';
      },
      'of the other service': (objects) => {
        first(objects, 'ConfigMap', 'platform-auth').data.GAME_COMMAND = '["game"]';
      },
    },
  },
  {
    says: 'there is time to see players off, and after that for all that the server itself may take to stop',
    problems: (objects) =>
      farms(objects).flatMap((pod) => {
        const [container] = pod.spec.containers;
        const configuration = readConfiguration(controlApi, {
          ...environmentOf(container as Container, pod, objects),
          API_KEY_FILE: undefined,
          PLATFORM_AUTH_SECRET_FILE: undefined,
          EXISTING_API_KEY_FILE: undefined,
        });
        const neededMs = preStopLimitMs + stopLimitMs(configuration);
        const graceMs = (pod.spec.terminationGracePeriodSeconds ?? 30) * 1_000;
        return unless(
          graceMs > neededMs,
          `${pod.name} is killed after ${graceMs} ms, and may need ${neededMs}`,
        );
      }),
    breaks: {
      'the time of the engine': (objects) => {
        delete farm(objects).terminationGracePeriodSeconds;
      },
      'a game that takes long': (objects) => {
        first(objects, 'ConfigMap', 'server').data.GAME_STOP_TIMEOUT = '300';
      },
    },
  },
];

/** By the service's own table, with the files that the Secret makes. */
function notRead(container: Container, pod: Pod, objects: Objects): string[] {
  using directory = temporaryDirectory();
  const table = tables[container.name] ?? {};
  const environment = environmentOf(container, pod, objects);
  const files = filesOf(container, pod);
  for (const [path, key] of Object.entries(files)) {
    mkdirSync(dirname(join(directory.path, path)), { recursive: true });
    writeFileSync(join(directory.path, path), key);
  }
  const moved = Object.fromEntries(
    Object.entries(environment).map(([name, value = '']) => [
      name,
      name.endsWith('_FILE') && value in files ? join(directory.path, value) : value,
    ]),
  );
  const strangers = Object.keys(environment).filter((name) => !(name.replace(/_FILE$/, '') in table));
  const says = (problem: string) => `${container.name} of ${pod.name}: ${problem}`;
  try {
    readConfiguration(table, moved);
  } catch (error) {
    return [says(String(error))];
  }
  return strangers.map((name) => says(`${name} is read by nobody`));
}

/** What a container finds in its environment but for what is taken from a Secret. */
function environmentOf({ env = [], envFrom = [] }: Container, pod: Pod, objects: Objects) {
  const maps = envFrom.map(
    ({ configMapRef }) =>
      objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === configMapRef?.name)?.[
        'data'
      ],
  );
  const own = env
    .filter(({ valueFrom }) => valueFrom?.secretKeyRef === undefined)
    .map(({ name, value, valueFrom }) => {
      const [, label = ''] = /^metadata\.labels\['(.+)'\]$/.exec(valueFrom?.fieldRef?.fieldPath ?? '') ?? [];
      return [name, value ?? pod.labels[label]];
    });
  return Object.assign({}, ...maps, Object.fromEntries(own)) as Record<string, string | undefined>;
}

/** Each file that a Secret makes in a container, with its key. */
function filesOf({ volumeMounts = [] }: Container, { spec }: Pod): Record<string, string> {
  return Object.fromEntries(
    volumeMounts.flatMap(({ name, mountPath }) => {
      const secret = spec.volumes?.find((volume) => volume.name === name)?.secret;
      const items =
        secret?.items ?? (secret === undefined ? [] : [{ key: 'all of them', path: 'all of them' }]);
      return items.map(({ key, path }) => [`${mountPath}/${path}`, key]);
    }),
  );
}

function secretsOf(objects: Objects, container: string) {
  const { volumes } = farm(objects);
  return volumes.find(({ name }: { name: string }) => name === `${container}-secrets`).secret.items;
}
