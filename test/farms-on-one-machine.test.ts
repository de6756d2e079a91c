import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { variables as controlApiVariables } from '../packages/control-api/src/configuration.ts';
import { variables as platformAuthVariables } from '../packages/platform-auth/src/configuration.ts';
import { type Compose, each, mounts, operatorVariable, ours } from './images/compose.ts';

const root = new URL('../', import.meta.url);
const example = 'deploy/compose';
const farms = ['willow', 'hazel', 'rowan'] as const;

const compose = composeFile('docker-compose.yml');
const farm = composeFile(`${example}/farm.yml`);
const demo = composeFile(`${example}/demo.yml`);
const files = Object.fromEntries(farms.map((name) => [name, variablesOf(`${example}/farms/${name}.env`)]));
const scrapes: Scrapes = parse(read(`${example}/prometheus.yml`), { merge: true });

interface Scrapes {
  readonly scrape_configs: readonly {
    readonly job_name: string;
    readonly authorization: object;
    readonly file_sd_configs: readonly { readonly files: readonly string[] }[];
    readonly relabel_configs: readonly { readonly target_label: string; readonly replacement?: string }[];
  }[];
}

describe('the file of each farm', () => {
  it.each(farms)('names the farm, and compose files that there are: %s', (name) => {
    expect(files[name]?.['COMPOSE_PROJECT_NAME']).toBe(name);
    expect(files[name]?.['COMPOSE_FILE']?.split(':')).toEqual(['docker-compose.yml', `${example}/farm.yml`]);
  });

  it.each(farms)('sets only what the compose files read: %s', (name) => {
    const known = new Set(
      ['docker-compose.yml', `${example}/farm.yml`]
        .flatMap((file) => [...read(file).matchAll(/\$\{([A-Z_]+)/g)])
        .map(([, variable]) => variable),
    );
    const strangers = Object.keys(files[name] ?? {}).filter((variable) => !known.has(variable));
    expect(strangers).toEqual(['COMPOSE_FILE']);
  });

  it('has ports that no other has, nor the monitoring', () => {
    const monitoring = variablesOf(`${example}/farms/monitoring.env`);
    const ports = [...Object.values(files), monitoring].flatMap((variables) =>
      Object.entries(variables).flatMap(([name, value]) => (name.endsWith('_PORT') ? [value] : [])),
    );
    expect(ports).toHaveLength(2 * farms.length + 2);
    expect(new Set(ports).size).toBe(ports.length);
  });

  it('lets exactly one download and write the game', () => {
    for (const [variable, value] of [
      ['PLATFORM_DOWNLOAD', 'on'],
      ['GAME_FILES', 'rw'],
    ] as const)
      expect(farms.map((name) => files[name]?.[variable])).toEqual([value, undefined, undefined]);
  });

  it('has the page of the first list the others, and those let it ask', () => {
    const page = (name: string) => `http://127.0.0.1:${files[name]?.['DASHBOARD_PORT']}`;
    const [first, ...others] = farms;
    expect(files[first]?.['DASHBOARD_FARMS']).toBe(others.map(page).join());
    for (const other of others) expect(files[other]?.['API_ALLOWED_ORIGINS']).toBe(page(first));
  });

  it('has no key in it', () => {
    for (const name of readdirSync(new URL(`${example}/farms`, root)).filter((file) => file.endsWith('.env')))
      expect(
        read(`${example}/farms/${name}`).match(/^(?:API_KEY|PLATFORM_AUTH_SECRET|GRAFANA_PASSWORD)=.*$/gm),
      ).toSatisfy((lines: string[]) => lines.length > 1 && lines.every((line) => line.endsWith('=')));
  });
});

describe('what a farm has over docker-compose.yml', () => {
  it('are variables that its services know', () => {
    const known = { server: controlApiVariables, 'platform-auth': platformAuthVariables };
    for (const layer of [farm, demo])
      for (const [name, table] of Object.entries(known))
        for (const variable of Object.keys(layer.services[name]?.environment ?? {}))
          expect([...Object.keys(table), 'NODE_EXTRA_CA_CERTS']).toContain(variable);
  });

  it('is the shared volume where the sidecar looks for the game, only read unless its file says so', () => {
    expect(farm.services['platform-auth'].volumes).toEqual([
      `game:/data/game:${operatorVariable('GAME_FILES', 'ro')}`,
    ]);
    expect(mounts(compose.services['platform-auth'])).toContainEqual(
      expect.objectContaining({ source: 'game', target: '/data/game' }),
    );
    expect(compose.services.server.volumes).toContain('game:/data/game:ro');
    expect(farm.volumes['game']).toMatchObject({ external: true });
  });

  it('is nothing that two farms would both want: no name of a container, no port', () => {
    for (const layer of [farm, demo])
      for (const service of Object.values(layer.services)) {
        expect(service).not.toHaveProperty('container_name');
        expect(service).not.toHaveProperty('ports');
      }
    for (const what of ['volumes', 'networks'] as const)
      for (const layer of [farm, demo])
        for (const own of Object.values(layer[what] ?? {}))
          if (own !== null)
            expect(own).toMatchObject({ external: true, name: expect.stringMatching(/^\$\{/) });
  });
});

describe('the simulated farm of the example', () => {
  it('is as the demo is in all but whose it is', () => {
    const { depends_on: _, profiles: __, volumes, environment, ...same } = compose.services['demo'] ?? {};
    const { volumes: own, environment: ownEnvironment, healthcheck, ...game } = demo.services['game'] ?? {};
    expect(healthcheck).toEqual({ interval: '60s' });
    expect(game).toEqual(same);
    expect(Object.keys(ownEnvironment ?? {})).toEqual(Object.keys(environment ?? {}));
    expect(mounts({ volumes: own ?? [] }).map(({ target, mode }) => [target, mode])).toEqual(
      mounts({ volumes: volumes ?? [] }).map(({ target, mode }) => [target, mode]),
    );
  });

  it('meets an emulated platform with an account for each farm, in a network that leads nowhere', () => {
    const platform = composeFile(`${example}/demo-platform.yml`);
    const command = (platform.services['demo-platform'] as { command: string[] }).command;
    for (const name of farms) expect(command).toContain(`demo-${name}:demo`);
    const { command: usual } = compose.services['demo-platform'] as unknown as { command: string[] };
    const withoutAccounts = (words: string[]) =>
      words.filter((word, index) => word !== '--account' && words[index - 1] !== '--account');
    expect(withoutAccounts(command)).toEqual(withoutAccounts(usual));
    expect(platform.networks['demo']).toMatchObject({ internal: true });
    expect(demo.networks['demo-platform']).toMatchObject({
      external: true,
      name: (platform.networks['demo'] as { name?: string }).name,
    });
    expect(
      Object.entries(demo.services).filter(([, { networks }]) => networks?.includes('demo-platform')),
    ).toEqual([['platform-auth', expect.anything()]]);
  });
});

describe('the one Prometheus', () => {
  const names = parse(read(`${example}/farms/prometheus/farms.yml`)) as { targets: string[] }[];
  const reach = composeFile(`${example}/farms/monitoring.yml`);

  it('is in order for promtool', () => {
    const file = fileURLToPath(new URL(`${example}/prometheus.yml`, root));
    const { status, stdout } = spawnSync('/usr/bin/promtool', ['check', 'config', '--syntax-only', file], {
      encoding: 'utf8',
    });
    expect([status, stdout]).toEqual([0, expect.stringContaining('SUCCESS')]);
  });

  it('asks the services of every farm, by the names that they have in its network', () => {
    expect(names.flatMap(({ targets }) => targets)).toEqual([...farms]);
    const ports = { server: controlApiVariables.API_PORT, 'platform-auth': platformAuthVariables.PORT };
    for (const { job_name: job, relabel_configs: relabel } of scrapes.scrape_configs) {
      expect(relabel.map(({ target_label: label }) => label)).toEqual(['farm', '__address__']);
      const [name, port] = (relabel[1]?.replacement ?? '')
        .replace('$1', `$\{COMPOSE_PROJECT_NAME}`)
        .split(':');
      const networks = farm.services[job]?.networks as { metrics?: { aliases: string[] } } | undefined;
      expect(networks?.metrics?.aliases.map((alias) => alias.replace(/:\?[^}]*/, ''))).toEqual([name]);
      expect(port).toBe(String(ports[job as keyof typeof ports].fallback));
      expect(compose.services[job]?.networks).toContain('metrics');
    }
    expect(reach.services['prometheus']?.networks).toEqual([...farms]);
    for (const name of farms)
      expect(reach.networks[name]).toEqual({ external: true, name: `${name}_metrics` });
  });

  it('asks with the keys and for the jobs that a single farm has', () => {
    const { scrape_configs: single }: Scrapes = parse(read('deploy/prometheus/prometheus.yml'));
    const keys = (jobs: Scrapes['scrape_configs']) =>
      jobs.map(({ job_name, authorization }) => [job_name, authorization]);
    expect(keys(scrapes.scrape_configs)).toEqual(keys(single));
  });

  it('reads what is mounted for it', () => {
    const [targets = ''] = scrapes.scrape_configs[0]?.file_sd_configs[0]?.files ?? [];
    const mounted = mounts(reach.services['prometheus'] ?? {})[0];
    expect(mounted).toEqual({
      source: './farms/prometheus',
      target: targets.replace('/farms.yml', ''),
      mode: 'ro',
    });
    const [configuration] = mounts(composeFile(`${example}/monitoring.yml`).services['prometheus'] ?? {});
    expect(existsSync(new URL(configuration?.source ?? '', root))).toBe(true);
  });

  it('comes without a farm of its own', () => {
    const monitoring = composeFile(`${example}/monitoring.yml`);
    const always = ours(compose).filter(([, { profiles }]) => profiles === undefined);
    for (const [name] of always) expect(monitoring.services[name]?.profiles).toEqual(['farm']);
  });
});

it('uninstalling names each volume that a farm has its game in: down --volumes removes none, as they are external', () => {
  const [, section = ''] = /^## Uninstalling\n(.*)/ms.exec(read('docs/where-it-runs.md')) ?? [];
  const name = operatorVariable('GAME_VOLUME', 'steward-game');
  expect(farm.volumes['game']).toMatchObject({ external: true, name });
  expect(section).toMatch(/`docker volume rm steward-game`, .* `GAME_VOLUME` has in `farms\/\*\.env`/);
  expect(section).toMatch(/`save-backups`: first .*`GAME_VOLUME` names.*down --volumes/s);
});

it('the smoke of several farms names the file of each once, as docker-compose 1.29 takes no two', async () => {
  const { Farm } = await import(new URL('scripts/fleet-smoke/farm.mjs', root).href);
  const envFile = `${example}/farms/hazel.env`;
  const command: string[] = new Farm('steward-hazel', { envFile, files: [], settings: {} }).command('up');
  expect(command.filter((_, index) => command[index - 1] === '--env-file')).toEqual([envFile]);
});

describe('the page', () => {
  const page = read('docs/farms-on-one-machine.md');
  const howTo = (task: string) => page.split(`\n| ${task} | `)[1]?.split(' |\n')[0] ?? '';

  it('names only files that there are', () => {
    const named = [...page.matchAll(/(?:deploy\/compose|(?<![/\w])farms)\/[\w./-]+\.(?:env|yml)/g)].map(
      ([path]) => (path.startsWith('farms/') ? `${example}/${path}` : path),
    );
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
  });

  it('gives a value to each key and password that the example leaves empty', () => {
    const empty = readdirSync(new URL(`${example}/farms`, root))
      .filter((name) => name.endsWith('.env'))
      .flatMap((name) => Object.entries(variablesOf(`${example}/farms/${name}`)))
      .flatMap(([variable, value]) => (value === '' ? [variable] : []));
    const filled = [...page.matchAll(/sed -i "s\|\^([A-Z_]+)=\.\*\|\1=\$\(openssl /g)].map(
      ([, variable]) => variable,
    );
    expect(new Set(filled)).toEqual(new Set(empty));
  });

  it('reads the file of a farm in each line of the trial, as the operator’s own .env may name other images', () => {
    const [, trial = ''] = page.split(/^## /m);
    const lines = [...trial.matchAll(/^.*\bdocker compose .*$/gm)].map(([line]) => line);
    expect(lines.length).toBeGreaterThan(4);
    expect(lines.filter((line) => !line.includes(` --env-file ${example}/farms/`))).toEqual([]);
    for (const variables of Object.values(files)) expect(variables).not.toHaveProperty('SERVER_IMAGE');
  });

  it('leaves nothing of the trial in the shell, where Compose would prefer it to the file of a real farm', () => {
    const [, trial = ''] = page.split(/^## /m);
    expect(trial).not.toMatch(/^\s*(?:export|unset) /m);
    const looped = [...trial.matchAll(/^ +(.*)\bdocker compose (.*)$/gm)];
    expect(looped).toHaveLength(2);
    for (const [, given = ''] of looped) {
      const set = Object.fromEntries(
        [...given.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
      );
      expect(Object.keys(set)).toEqual(['GAME_VOLUME', 'COMPOSE_FILE', 'COMPOSE_PROJECT_NAME']);
      expect(trial).toContain(`\ndocker volume create ${set['GAME_VOLUME']}\n`);
      expect(set['COMPOSE_FILE']).toBe(`docker-compose.yml:${example}/farm.yml:${example}/demo.yml`);
    }
  });

  it('leaves out of the lines for JunimoServer only what the file of a farm has already: it does not start without its own key', () => {
    const [, lines = ''] = /^ *cat > \.env <<END\n(.*?)^ *END$/ms.exec(read('docs/quick-start.md')) ?? [];
    const quick = [...lines.matchAll(/^ *([A-Z_]+)=/gm)].map(([, variable = '']) => variable);
    const known = quick.filter((variable) => variable in (files['willow'] ?? {}));
    expect(page).toContain(
      `[quick start](quick-start.md#set-it-up) except ${known.map((name) => `\`${name}\``)}`,
    );
    expect(quick).toContain('EXISTING_API_KEY');
    expect(controlApiVariables.EXISTING_API_KEY.means).toContain('does not start without one');
    expect(read('docker-compose.yml')).toMatch(/not start without one\.\n *API_KEY: \$\{EXISTING_API_KEY:-}/);
  });

  it('has each farm with JunimoServer, which writes beside the game’s files, take a volume and ports of its own', () => {
    const [, created = '', lines = ''] =
      /^ *docker volume create (\S+)\n *cat >> farms\/hazel\.env <<END\n(.*?)^ *END$/ms.exec(page) ?? [];
    const own = Object.fromEntries(
      [...lines.matchAll(/^ *([A-Z_]+)=(.*)$/gm)].map(([, variable = '', value = '']) => [variable, value]),
    );
    const usual = [...read('docker-compose.yml').matchAll(/\$\{(EXISTING_\w+_PORT):-(\d+)\}/g)];
    expect(usual).toHaveLength(2);
    const ports = usual.map(([, variable = '']) => variable);
    expect(Object.keys(own)).toEqual(['GAME_VOLUME', 'GAME_FILES', 'PLATFORM_DOWNLOAD', ...ports]);
    expect(own).toMatchObject({ GAME_VOLUME: created, GAME_FILES: 'rw', PLATFORM_DOWNLOAD: 'on' });
    expect(created).not.toBe('steward-game');
    for (const [, variable = '', port] of usual)
      expect(own[variable]).toSatisfy((other: string) => /^\d+$/.test(other) && other !== port);
    expect(page).toMatch(/^3\. [^\n]*With JunimoServer, use `setup` for all of them/m);
    expect(page).toMatch(/`GAME_VOLUME` in every other file, unless your farm runs JunimoServer/);
    const copied = howTo('add a farm');
    expect(Object.keys(own).filter((variable) => !copied.includes(`\`${variable}`))).toEqual([]);
  });

  it('says how many networks a farm has, and how many docker-compose 1.29 makes', () => {
    const always = each(compose).filter(([, { profiles }]) => profiles === undefined);
    const words = ['three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
    const told = (pattern: RegExp) => words.indexOf(pattern.exec(page)?.[1] ?? '') + 3;
    expect(told(/Each farm has (\w+) networks/)).toBe(networksOf(always).size);
    // It makes those of services that are not started, too.
    expect(told(/all networks in the file, (\w+) for each project/)).toBe(networksOf(each(compose)).size);
  });

  it.each(['docs/farms-on-one-machine.md', 'docs/discord.md'])(
    'has each farm take a bot of its own, as %s says',
    (path) => {
      expect(read(path)).toMatch(/Each farm .*needs an application and a token of its own/);
    },
  );

  it.each([
    ['stop a farm', 'stop'],
    ['remove a farm', 'down --volumes'],
  ])('to %s, names every profile, as its bot would run on', (task, command) => {
    expect(howTo(task)).toContain(`\`docker compose --env-file farms/hazel.env --profile "*" ${command}\``);
  });

  it('to upgrade, notes the commit once, and before it pulls', () => {
    expect(howTo('upgrade')).toMatch(
      /^once, before the first farm: `git rev-parse HEAD > before-upgrade\.txt`, .*git pull`, .* Then,/,
    );
  });

  it('has each farm keep its backups on another disk apart from those of the others, which read the same override', () => {
    const alone = read('docs/backups.md');
    const [, made = ''] = /^(sudo install -d [^\n]*)$/m.exec(alone) ?? [];
    const [, mounted = ''] = /^ +- (\S+):\/data\/backups$/m.exec(alone) ?? [];
    expect(page).toContain(`for farm in ${farms.join(' ')}; do ${made}/$farm; done\n`);
    // Compose reads no override by itself beside the COMPOSE_FILE that each farm's file has.
    expect(page).toMatch(
      / `docker-compose\.override\.yml`, [^\n]* to the end of `COMPOSE_FILE` [^\n]*:\n\n```yaml\nservices:/,
    );
    expect(page).toContain(`\n      - ${mounted}/$\{COMPOSE_PROJECT_NAME}:/data/backups\n`);
  });

  it('adds Docker’s new addresses to those that a proxy has already', () => {
    const [, usual] = /TRUSTED_PROXIES=(\S+)/.exec(read('docs/https.md')) ?? [];
    const [, added] = /"default-address-pools": \[\{ "base": "([^"]+)"/.exec(page) ?? [];
    expect(page).toContain(`\`TRUSTED_PROXIES=${usual},${added}\``);
  });

  it('has curl ask the farm that is meant, by its own port: the others, and who else has port 8080, are sent the same key', () => {
    const port = files['willow']?.['API_PORT'];
    expect(page).toContain(
      `\nAPI=http://127.0.0.1:${port}\nAPI_KEY=$(sed -n 's/^API_KEY=//p' farms/willow.env)\n`,
    );
    expect(read('docs/api.md')).toMatch(
      /has an `API_PORT`, write that port instead of 8080\..*\(farms-on-one-machine\.md#three-real-farms\)/,
    );
  });

  it('has the ports of the example', () => {
    const told = [...page.matchAll(/127\.0\.0\.1:(8\d+)|\b(81\d\d)\b/g)].map(
      ([, page = '', api = '']) => page || api,
    );
    const all = Object.values(files).flatMap(({ API_PORT: api, DASHBOARD_PORT: own }) => [api, own]);
    expect(told.filter((port) => !all.includes(port))).toEqual([]);
    expect(told).toContain(files['willow']?.['DASHBOARD_PORT']);
  });
});

function networksOf(services: readonly [string, { readonly networks?: string[] }][]): Set<string> {
  return new Set(services.flatMap(([, { networks = [] }]) => networks));
}

function composeFile(path: string): Compose {
  return parse(read(path), { merge: true });
}

/** The lines of an env file. */
function variablesOf(path: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...read(path).matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
  );
}

function read(path: string): string {
  return readFileSync(new URL(path, root), 'utf8');
}
