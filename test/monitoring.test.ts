import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@steward/testing/free-port';
import { Program } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { type Compose, each } from './images/compose.ts';

const deploy = fileURLToPath(new URL('../deploy', import.meta.url));
interface Panel {
  readonly title: string;
  readonly targets: readonly { readonly expr: string }[];
  readonly fieldConfig?: { readonly defaults: { readonly unit: string } };
}
const dashboard: { readonly panels: readonly Panel[] } = JSON.parse(
  readFileSync(join(deploy, 'grafana/steward.json'), 'utf8'),
);
const { groups }: { groups: { rules: { alert: string; expr: string }[] }[] } = parse(
  readFileSync(join(deploy, 'prometheus/rules.yml'), 'utf8'),
);
const queries = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
const conditions = groups.flatMap(({ rules }) => rules.map(({ expr }) => expr));

it.each([
  ['check', 'config', '--syntax-only', 'prometheus/prometheus.yml'],
  ['check', 'rules', 'prometheus/rules.yml'],
  ['test', 'rules', 'prometheus/rules.test.yml'],
])('is in order for promtool %s %s', (...args) => {
  expect(promtool(...args)).toBe(0);
});

it.each(["Ann's farm", ''])(
  'gives whatever is measured the name of the farm, where that is "%s"',
  async (name) => {
    using directory = temporaryDirectory();
    await using prometheus = await composePrometheus(directory.path, name);
    const farm = name === '' ? {} : { farm: name };
    expect(await prometheus.labels()).toEqual([
      { instance: 'platform-auth:3001', job: 'platform-auth', ...farm },
      { instance: 'server:8080', job: 'server', ...farm },
    ]);
  },
);

it('tells of a service that is down by the names that its jobs have wherever they are measured', () => {
  const down = groups.flatMap(({ rules }) => rules).find(({ alert }) => alert === 'StewardDown');
  const told = /job=~"([^"]*)"/.exec(down?.expr ?? '')?.[1]?.split('|');
  for (const file of ['prometheus/prometheus.yml', 'compose/prometheus.yml']) {
    const { scrape_configs: jobs }: { scrape_configs: { job_name: string }[] } = parse(
      readFileSync(join(deploy, file), 'utf8'),
      { merge: true },
    );
    expect(jobs.map(({ job_name: name }) => name)).toEqual(told);
  }
  const monitor = readFileSync(join(deploy, 'kubernetes/components/monitoring/pod-monitor.yaml'), 'utf8');
  const named = [...monitor.matchAll(/targetLabel: job\s+replacement: (\S+)/g)].map(([, name]) => name);
  expect(named).toEqual(told);
});

it('is started again after an upgrade, says the page, as is all else that only a profile starts', () => {
  const apart = each(compose())
    .filter(([, { profiles = [] }]) => profiles.some((profile) => !['demo', 'existing'].includes(profile)))
    .map(([name]) => name);
  expect(apart).toContain('prometheus');
  const commands = page('upgrades').matchAll(/`docker compose ([^`]*)`/g);
  const words = [...commands].flatMap(([, command = '']) => command.split(/\s+/));
  expect(apart.filter((name) => !words.includes(name))).toEqual([]);
});

it('is started again when what it has from the environment changes, says the page', () => {
  const { prometheus } = compose().services;
  const [, changed = ''] =
    /If you change (.*), run `docker compose --profile monitoring up -d`/.exec(page('operators')) ?? [];
  const named = [...changed.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
  expect(named).toContain('API_KEY');
  expect(named.toSorted()).toEqual(Object.keys(prometheus?.environment ?? {}).toSorted());
});

it('has panels whose every query Prometheus can read', () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, 'queries.json');
  const rules = queries.map((expr, index) => ({ record: `panel:${index}`, expr }));
  writeFileSync(path, JSON.stringify({ groups: [{ name: 'panels', rules }] }));
  expect(promtool('check', 'rules', path)).toBe(0);
  writeFileSync(
    path,
    JSON.stringify({ groups: [{ name: 'broken', rules: [{ record: 'a', expr: 'sum(' }] }] }),
  );
  expect(promtool('check', 'rules', path)).not.toBe(0);
});

it('draws bytes in panels of their own, with their unit', () => {
  const isBytes = ({ expr }: { expr: string }) => /_bytes\b/.test(expr);
  const panels = dashboard.panels.filter(({ targets }) => targets.some(isBytes));
  expect(panels).not.toEqual([]);
  for (const { title, targets, fieldConfig } of panels) {
    const others = targets.filter((target) => !isBytes(target));
    expect(others, title).toEqual([]);
    expect(fieldConfig?.defaults.unit, title).toBe('bytes');
  }
});

it('names only metrics that the services have', async () => {
  using directory = temporaryDirectory();
  await using api = controlApi(directory.path);
  await using sidecar = platformAuth(directory.path);
  const known = new Set([...namesIn(await metricsOf(api)), ...namesIn(await metricsOf(sidecar))]);
  const named = [...queries, ...conditions].flatMap(
    (query) => query.match(/\b(?:steward|nodejs)_\w+/g) ?? [],
  );
  expect(named.length).toBeGreaterThan(15);
  const base = (name: string) => (known.has(name) ? name : name.replace(/_(?:bucket|count|sum)$/, ''));
  expect(named.filter((name) => !known.has(base(name)))).toEqual([]);
});

it.each([
  ['the control API', controlApi],
  ['the sidecar', platformAuth],
])('%s has metrics in which promtool finds nothing to fix', async (_which, start) => {
  using directory = temporaryDirectory();
  await using service = start(directory.path);
  // What is measured of requests stands there from the second time on.
  await metricsOf(service);
  const { status, stderr, stdout } = spawnSync('/usr/bin/promtool', ['check', 'metrics'], {
    input: await metricsOf(service),
    encoding: 'utf8',
  });
  expect(`${stdout}${stderr}`).toBe('');
  expect(status).toBe(0);
});

/** Debian's Prometheus, started as the compose file starts the image's, with its files elsewhere. */
async function composePrometheus(directory: string, name: string) {
  const { services } = parse(readFileSync(join(deploy, '../docker-compose.yml'), 'utf8'));
  const [shell, option, ...words] = services.prometheus.entrypoint as string[];
  const here = (text: string) => text.replaceAll('/tmp/', `${directory}/`);
  const config = readFileSync(join(deploy, 'prometheus/prometheus.yml'), 'utf8');
  writeFileSync(join(directory, 'prometheus.yml'), here(config));
  copyFileSync(join(deploy, 'prometheus/rules.yml'), join(directory, 'rules.yml'));
  const port = await freePort();
  const script = here(words.join(' '))
    .replaceAll('$$', '$')
    .replace('/bin/prometheus', '/usr/bin/prometheus')
    .replace('/etc/prometheus/', `${directory}/`)
    .replace('=/prometheus', `=${directory}/data`);
  const child = spawn(String(shell), [String(option), `${script} --web.listen-address=127.0.0.1:${port}`], {
    env: { PATH: process.env['PATH'], INSTANCE_NAME: name, API_KEY: 'k', PLATFORM_AUTH_SECRET: 's' },
    stdio: 'ignore',
  });
  const exited = once(child, 'exit');
  return {
    /** Of each target, in the order of their names. */
    labels: () =>
      vi.waitFor(
        async () => {
          const answer = await fetch(`http://127.0.0.1:${port}/api/v1/targets`);
          const { data } = (await answer.json()) as {
            data: { activeTargets: { labels: { job: string } }[] };
          };
          const found = data.activeTargets.map(({ labels }) => labels);
          expect(found).toHaveLength(2);
          return found.toSorted((one, other) => one.job.localeCompare(other.job));
        },
        { timeout: 60_000, interval: 200 },
      ),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

function compose(): Compose {
  return parse(readFileSync(join(deploy, '../docker-compose.yml'), 'utf8'), { merge: true });
}

function page(name: string): string {
  return readFileSync(join(deploy, `../docs/${name}.md`), 'utf8');
}

function controlApi(state: string): Program {
  return new Program('packages/control-api/src/main.ts', [], {
    API_HOST: '127.0.0.1',
    API_PORT: '0',
    STATE_DIR: state,
    PLATFORM_AUTH_URL: 'http://127.0.0.1:2',
    SETTINGS_PATH: join(state, 'server-settings.json'),
    // Without these there are no backups, and nothing is measured of them.
    GAME_SAVES_DIR: join(state, 'saves'),
    BACKUP_DIR: join(state, 'backups'),
  });
}

function platformAuth(state: string): Program {
  return new Program('packages/platform-auth/src/main.ts', [], {
    HOST: '127.0.0.1',
    PORT: '0',
    SESSION_DIR: join(state, 'session'),
    GAME_DIR: join(state, 'game'),
  });
}

async function metricsOf(service: Program): Promise<string> {
  const [, origin = ''] = await service.line(/listening on (http:\S+?)["\s]/);
  return (await fetch(`${origin}/metrics`)).text();
}

function namesIn(metrics: string): string[] {
  return [...metrics.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name);
}

function promtool(...args: string[]): number | null {
  return spawnSync('/usr/bin/promtool', args, { cwd: deploy }).status;
}
