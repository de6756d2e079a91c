import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { beforeAll, describe, expect, it } from 'vitest';
import { variables as serverVariables } from '../packages/control-api/src/configuration.ts';
import { program as controlApi } from '../packages/control-api/src/program.ts';
import { variables as sidecarVariables } from '../packages/platform-auth/src/configuration.ts';
import { program as platformAuth } from '../packages/platform-auth/src/program.ts';
import type { ProgramDescription } from '../packages/service-kit/src/command-line/program.ts';
import type { Claim } from './images/claim.ts';
import { configurationClaims, preStopLimitMs } from './kubernetes/configuration-claims.ts';
import { farmClaims } from './kubernetes/farm-claims.ts';
import { networkClaims } from './kubernetes/network-claims.ts';
import { first } from './kubernetes/parts.ts';
import { referenceClaims } from './kubernetes/reference-claims.ts';
import {
  containersOf,
  type KubernetesObject,
  ofKind,
  operatorsCopy,
  podsOf,
  render,
} from './kubernetes/rendered.ts';
import { wrongFields, wrongValues } from './kubernetes/schemas.ts';

const checkout = fileURLToPath(new URL('..', import.meta.url));
const kubernetes = join(checkout, 'deploy/kubernetes');
const programs: Readonly<Record<string, ProgramDescription>> = {
  server: controlApi,
  'platform-auth': platformAuth,
};

/** What is applied to one namespace: the example, which is applied in two parts, and a farm that came from the existing server. */
let applied: KubernetesObject[] = [];
let base: KubernetesObject[] = [];

beforeAll(async () => {
  using directory = temporaryDirectory();
  operatorsCopy(join(directory.path, 'kubernetes'));
  const folders = ['base', 'examples/two-farms', 'examples/two-farms/game-files', 'migrated'];
  const [ofBase = [], ...others] = await Promise.all(
    folders.map((folder) => render(join(directory.path, 'kubernetes', folder))),
  );
  base = ofBase;
  applied = others.flat();
});

it('renders two farms, the Job for their game, and one with the existing server', () => {
  expect(podsOf(applied).map(({ name }) => name)).toEqual([
    'farm-hill',
    'farm-river',
    'farm-old',
    'game-files',
  ]);
});

it('says by which variables the services listen where a pod’s probes ask its IPv6 address', () => {
  const page = readFileSync(join(checkout, 'docs/kubernetes.md'), 'utf8');
  expect(page).toContain(
    '`API_HOST=::` to the `literals` of `server`, and `HOST=::` to those of `platform-auth`',
  );
  const hosts = [serverVariables.API_HOST, sidecarVariables.HOST];
  expect(hosts.map(({ kind }) => kind.parse('::'))).toEqual(hosts.map(() => ({ ok: true, value: '::' })));
});

describe('what is rendered', () => {
  it('has no value that Kubernetes’ schemas refuse', async () => {
    const problems = await Promise.all([...base, ...applied].map(wrongValues));
    expect(problems.flat()).toEqual([]);
    const set = structuredClone(first(applied, 'StatefulSet'));
    set['spec'].replicas = '1';
    expect(await wrongValues(set)).toEqual([expect.stringContaining('replicas')]);
  });

  it('has no field that Kubernetes does not know', async () => {
    const mistyped = structuredClone(first(applied, 'StatefulSet'));
    mistyped['spec'].replica = 1;
    const monitor = structuredClone(first(applied, 'PodMonitor'));
    monitor['spec'].podTargetLabel = ['farm'];
    expect(await wrongFields([...base, ...applied, mistyped, monitor])).toEqual([
      expect.stringContaining(`'"replica"' does not exist`),
      expect.stringContaining(`'"podTargetLabel"' does not exist`),
    ]);
  });
});

hold('what an operator applies', () => applied, [
  ...referenceClaims,
  ...farmClaims,
  ...configurationClaims,
  ...networkClaims,
]);

describe('a component', () => {
  const farm = (name: string) => podsOf(applied).find((pod) => pod.labels['farm'] === name);

  it('takes a farm its own claim for the game, and lets it read that of all', () => {
    expect(farm('river')?.claims).toEqual(['farm', 'session']);
    expect(farm('old')?.claims).toEqual(['farm', 'session', 'game']);
    const mounts = farm('river')?.spec.initContainers?.[0]?.volumeMounts;
    expect(mounts?.find(({ name }) => name === 'game')?.readOnly).toBe(true);
  });

  it('takes the hook away where nobody can be seen off, and the game’s directory from nobody who writes to it', () => {
    const containers = farm('old')?.spec.containers;
    expect(containers?.map(({ name, lifecycle }) => [name, lifecycle])).toEqual([
      ['server', undefined],
      ['existing', undefined],
    ]);
    expect(farm('hill')?.spec.containers[0]?.lifecycle?.preStop?.exec?.command).toContain(
      '/opt/steward/drain.mjs',
    );
  });

  it('gives the page a host of the farm’s own, in both places', () => {
    const { spec } = first(applied, 'Ingress');
    expect(spec.tls[0].hosts).toEqual([spec.rules[0].host]);
    expect(read('deploy/kubernetes/components/dashboard-ingress/ingress.yaml')).not.toContain(
      spec.rules[0].host,
    );
  });
});

it('admits to the sidecar’s port nobody but who measures', () => {
  const admitted = ofKind(applied, 'NetworkPolicy').flatMap(({ metadata, spec }) =>
    (spec.ingress ?? []).flatMap(({ ports }: { ports: { port: number }[] }) =>
      ports.filter(({ port }) => port === 3001).map(() => metadata.name),
    ),
  );
  expect(admitted).toEqual(['farm-monitoring-hill']);
});

it('waits in the hook as long as there is time for', () => {
  const { data } = first(base, 'ConfigMap', 'drain');
  const [limitMs = 0, answerMs = 0] = ['limitMs', 'answerMs'].map((name) =>
    Number(new RegExp(`const ${name} = ([\\d_]+);`).exec(data['drain.mjs'])?.[1]?.replaceAll('_', '')),
  );
  expect(limitMs + answerMs).toBe(preStopLimitMs);
});

describe.each(['docs/kubernetes.md', 'deploy/kubernetes/README.md'])('%s', (page) => {
  it('has commands that there are, for containers that there are', () => {
    const typed = [
      ...read(page).matchAll(
        /exec (?:-it )?(\S+?)(?:-0)? (?:-c (\S+) )?-- node dist\/main\.js ((?:[a-z-]+ ?)+?)(?= ?[-)`\n])([^)`\n]*)/g,
      ),
    ];
    const wrong = typed.filter(([, set, named = 'server', words = '', rest = '']) => {
      const pod = podsOf(applied).find(({ name }) => name === set);
      // The pod for a token is run by a command of the page.
      const container = set === 'login' ? 'platform-auth' : named;
      const isThere = set === 'login' || (pod && containersOf(pod).some(({ name }) => name === container));
      const { flags = {}, options = {} } = programs[container]?.commands[words.trim()] ?? {};
      const typedOptions = [...rest.matchAll(/--([a-z-]+)/g)].map(([, option = '']) => option);
      const hasAll = typedOptions.every((option) => option in flags || option in options);
      return !isThere || programs[container]?.commands[words.trim()] === undefined || !hasAll;
    });
    expect(wrong.map(([line]) => line)).toEqual([]);
    expect(typed.length).toBeGreaterThan(3);
  });

  it('names each component, and no other', () => {
    const named = [...read(page).matchAll(/^\| `(?:components\/)?([a-z-]+)` \|/gm)].map(([, name]) => name);
    const others = ['base'];
    expect(named.filter((name = '') => !others.includes(name)).sort()).toEqual(
      readdirSync(join(kubernetes, 'components')).sort(),
    );
  });
});

it('restores a farm of the existing server while that container does nothing, as nobody can stop one container of a pod', () => {
  const pod = podsOf(applied).find(({ name }) => name === 'farm-old');
  const existing = pod?.spec.containers.find(({ name }) => name === 'existing');
  const saves = existing?.volumeMounts?.find(({ subPath }) => subPath === 'existing-saves')?.mountPath;
  const { runAsUser, runAsGroup } = pod?.spec.securityContext ?? {};
  const steps = [
    / patch statefulset farm-old -p '(.*"command":\[.*)'\n/,
    / rollout status statefulset farm-old .*\n/,
    new RegExp(` exec farm-old-0 -c existing -- chown -R ${runAsUser}:${runAsGroup} ${saves}\n`),
    / exec farm-old-0 -- node dist\/main\.js backup restore --id "\$id"\n/,
    / patch statefulset farm-old -p '(.*"command":null.*)'\n/,
  ].map((step) => step.exec(read('docs/kubernetes.md')));
  expect(steps).not.toContain(null);
  const places = steps.map((step) => step?.index ?? 0);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  const [stopped, started] = [steps[0], steps[4]].map(
    (step) => JSON.parse(step?.[1] ?? '').spec.template.spec.containers,
  );
  expect(stopped).toEqual([
    { name: 'existing', command: ['sh', '-c', expect.stringMatching(/^trap exit TERM; /)] },
  ]);
  // So the last patch leaves what was applied.
  expect(started).toEqual([{ name: 'existing', command: null }]);
  expect(existing).not.toHaveProperty('command');
  expect(read('docs/kubernetes.md')).toContain(
    ` -c existing -- sh -c 'cd ${saves} && mkdir Saves.before && mv `,
  );
  expect(read('deploy/kubernetes/README.md')).toMatch(/^# 8\. .*not with existing-server/m);
});

it('names on its page each file of the example that has images, where they are set and where they are upgraded', () => {
  const example = join(kubernetes, 'examples/two-farms');
  const files = globSync('**/kustomization.yaml', { cwd: example }).filter((file) =>
    /^images:/m.test(readFileSync(join(example, file), 'utf8')),
  );
  const page = read('docs/kubernetes.md');
  const places = [/^1\. Copy [\s\S]*?\n\n/m, /^- \*\*Upgrade\*\*.*/m].map(
    (place) => place.exec(page)?.[0] ?? '',
  );
  expect(files.length).toBeGreaterThan(1);
  for (const place of places) expect(files.filter((file) => !place.includes(`\`${file}\``))).toEqual([]);
});

it('shows the farm of eight lines as the example has it', () => {
  const text = readFileSync(join(kubernetes, 'examples/two-farms/river/kustomization.yaml'), 'utf8');
  const lines = text.split('\n').filter((line) => !line.startsWith('#'));
  expect(lines.filter((line) => line !== '').length).toBeLessThanOrEqual(8);
  expect(read('docs/kubernetes.md')).toContain(lines.join('\n'));
});

function read(page: string): string {
  return readFileSync(join(checkout, page), 'utf8');
}

/** Holds each claim against what is rendered, and against each broken copy of it to see the claim fail. */
function hold(
  name: string,
  objects: () => KubernetesObject[],
  claims: readonly Claim<KubernetesObject[]>[],
): void {
  describe(name, () => {
    describe.each(claims)('$says', ({ problems, breaks }) => {
      it('holds', () => {
        expect(problems(objects())).toEqual([]);
      });

      it.each(Object.entries(breaks))('notices: %s', (_, change) => {
        const broken = structuredClone(objects());
        change(broken);
        expect(broken).not.toEqual(objects());
        expect(problems(broken)).not.toEqual([]);
      });
    });
  });
}
