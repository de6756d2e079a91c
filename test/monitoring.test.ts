import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Program } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { parse } from 'yaml';

const deploy = fileURLToPath(new URL('../deploy', import.meta.url));
const dashboard: { panels: { title: string; targets: { expr: string }[] }[] } = JSON.parse(
  readFileSync(join(deploy, 'grafana/steward.json'), 'utf8'),
);
const { groups }: { groups: { rules: { expr: string }[] }[] } = parse(
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
])('%s has metrics in which promtool finds nothing to mend', async (_which, start) => {
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
