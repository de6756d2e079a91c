import { globSync, readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { program } from '../packages/control-api/src/program.ts';
import { type Compose, each, mounts } from './images/compose.ts';

const root = new URL('../', import.meta.url);
const { scripts, packageManager }: { scripts: Record<string, string>; packageManager: string } = JSON.parse(
  read('package.json'),
);
const compose: Compose = parse(read('docker-compose.yml'), { merge: true });
/** The variables that the compose file reads. */
const inCompose = new Set([...read('docker-compose.yml').matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name));
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'examples/README.md',
  ...globSync('packages/*/README.md', { cwd: root }),
  ...readdirSync(new URL('docs', root))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

it.each(pages)('%s tells nobody to run a script that does not exist', (page) => {
  const named = [...read(page).matchAll(/npm run (?:-\S+ )*([a-z][a-z:-]*)/g)].map(([, name = '']) => name);
  expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
});

it('CONTRIBUTING.md names every script that there is', () => {
  const text = read('CONTRIBUTING.md');
  const named = [...text.matchAll(/npm (?:run (?:-\S+ )*)?([a-z][a-z:-]*)/g)].map(([, name]) => name);
  expect(Object.keys(scripts).filter((name) => !named.includes(name))).toEqual([]);
});

it('says that a control API run from the sources shows the page that was built last', () => {
  const builtBy = /`npm run control-api` .*\bthe last `npm start` built/;
  expect(scripts['control-api']).not.toContain('dashboard');
  expect(read('CONTRIBUTING.md')).toMatch(builtBy);
  expect(read('docs/dashboard.md')).toMatch(builtBy);
});

it.each(pages)(
  '%s has nobody install for the whole machine, which needs root, and names the pnpm of the lockfile',
  (page) => {
    const text = read(page);
    expect(text).not.toMatch(/\bnpm (?:install|i) [^\n]*(?:--global|-g\b)/);
    expect(text).not.toMatch(/^ *pnpm /m);
    const named = [...text.matchAll(/\bpnpm@\d[\w.-]*/g)].map(([name]) => name);
    expect(named.filter((name) => name !== packageManager)).toEqual([]);
  },
);

it('tells whoever imports a list with systemd that no path of their own folder is found', () => {
  expect(read('docs/without-docker.md')).toMatch(/^control-api\(\) \{\n *sudo systemd-run (?!.*--same-dir)/m);
  expect(read('docs/moderation.md')).toMatch(/With systemd, .* runs in `\/`: give an absolute path/);
});

it('lets the users of the services and of Prometheus read what was made under a strict umask', () => {
  expect(read('docs/without-docker.md')).toMatch(
    /^sudo install .*sudo cp -r .* \/opt\/steward\/\nsudo chmod -R a\+rX \/opt\/steward$/m,
  );
  expect(read('docs/common-problems.md')).toMatch(/^\| .*permission denied.* \| `chmod -R a\+rX deploy`/m);
});

it('says what to add to what is mounted where SELinux refuses it to containers, whatever its owner and mode are', () => {
  const [row = ''] = /^\| .*permission denied.*SELinux.*$/m.exec(read('docs/common-problems.md')) ?? [];
  expect(row).toMatch(
    /`\.\/api-key:\S+:ro,z`.*`\/mnt\/disk\/backups:\S+:z`.*`chcon -Rt container_file_t deploy`/,
  );
  // The labels that the row sets reach everything that the compose file mounts of the checkout.
  const mounted = each(compose).flatMap(([, service]) => mounts(service).map(({ source }) => source));
  const ofTheCheckout = mounted.filter((source) => source.startsWith('.'));
  expect(ofTheCheckout.filter((source) => !source.startsWith('./deploy/'))).toEqual([]);
  expect(ofTheCheckout).not.toEqual([]);
  for (const name of ['backups', 'configuration'])
    expect(read(`docs/${name}.md`)).toMatch(/SELinux, as on Fedora, .*:(?:ro,)?z`.*\(common-problems\.md\)/);
});

it('finds the scripts that a page names', () => {
  expect(read('docs/game-bridge.md')).toContain('npm run bridge-conformance');
});

it('opens the control API to this machine alone wherever a page starts it without a key', () => {
  const text = pages.map(read).join('\n');
  const blocks = [...text.matchAll(/^```sh\n.*?^```/gms)].map((match) => match[0]);
  const starting = blocks.filter((block) => block.includes('npm run control-api'));
  expect(starting.filter((block) => !/\bAPI_(?:HOST=127\.0\.0\.1|KEY=)/.test(block))).toEqual([]);
  expect(starting.length).toBeGreaterThan(1);
});

it('exports a variable that Compose would take from the shell before .env only where programs are started that need it', () => {
  const exporting = pages.filter((page) =>
    [...read(page).matchAll(/^ *```sh\n.*?^ *```/gms)]
      .map(([block]) => block)
      // These start a service from its sources, for somebody who writes code.
      .filter((block) => !block.includes('npm run '))
      .flatMap((block) => [...block.matchAll(/^ *export (.*)$/gm)])
      .flatMap(([, variables = '']) => [...variables.matchAll(/\b([A-Z_]+)=/g)])
      .some(([, name]) => inCompose.has(name)),
  );
  expect(exporting).toEqual(['examples/README.md']);
  expect(read('examples/README.md')).toMatch(/`docker compose`: it would take this `API_KEY`/);
  expect(read('docs/api.md')).toContain("\nAPI_KEY=$(sed -n 's/^API_KEY=//p' .env)\n");
});

it('sets no variable of the compose file for one up alone: its container keeps the value, until the next up replaces it while people play', () => {
  const set = pages.flatMap((page) =>
    [...read(page).matchAll(/((?:\b[A-Z_]+=\S* )+)docker[ -]compose [^\n`]*\bup\b/g)]
      .flatMap(([, variables = '']) => [...variables.matchAll(/\b([A-Z_]+)=/g)])
      .map(([, name]) => name),
  );
  expect(set.filter((name) => inCompose.has(name))).toEqual([]);
  expect(set).toContain('COMPOSE_FILE');
  expect(read('docs/sidecar.md')).toMatch(
    /start one farm without the wait, run `docker compose exec platform-auth node dist\/main\.js login`/,
  );
});

it('says which command applies a change of .env wherever one is to be made: docker compose restart keeps the old values, and with them a leaked key', () => {
  const [, told = ''] = /^## What reaches a container\n(.*?)^## /ms.exec(read('docs/configuration.md')) ?? [];
  expect(told).toMatch(/change of `\.env` .*`docker compose up -d`.*`docker compose restart` keeps the old/);
  const telling = /`docker compose up -d`.*\(configuration\.md#what-reaches-a-container\)/;
  const names = ['backups', 'common-problems', 'dashboard', 'https', 'keys', 'sidecar-errors'];
  expect(names.filter((name) => !telling.test(read(`docs/${name}.md`)))).toEqual([]);
  expect(read('docs/keys.md')).not.toContain('need a restart');
  expect(read('docs/common-problems.md')).toMatch(/^\| a change in `\.env` has no effect \|.* up -d`/m);
});

it('says that a changed file of a secret counts after a restart, as up -d finds nothing changed: a leaked key would stay valid', () => {
  expect(read('docs/configuration.md')).toMatch(
    /contents of a mounted file .*`up -d` does not notice:\nrun `docker compose restart server` then/,
  );
  expect(read('docs/keys.md')).toMatch(
    /key is in a file, change the file and\nrun `docker compose restart server`/,
  );
  const [row = ''] = /^\| a change in a mounted file.*$/m.exec(read('docs/common-problems.md')) ?? [];
  expect(row).toMatch(/`docker compose restart server`.*\(configuration\.md#what-reaches-a-container\) \|$/);
});

it('stops whatever comes back by itself before a farm leaves a machine', () => {
  const always = each(compose)
    .filter(([, { restart, profiles }]) => restart === 'unless-stopped' && profiles === undefined)
    .map(([name]) => name);
  const page = read('docs/moving.md');
  const [, first] = /```sh\n([^\n]*)/.exec(page) ?? [];
  expect(first).toBe(`docker compose stop ${always.join(' ')}`);
  // Of these, not every farm has one.
  for (const name of ['existing', 'discord-bot'])
    expect(page).toMatch(new RegExp(`\`docker compose (?:--profile \\w+ )?stop ${name}\``));
});

it('says how Compose calls the project wherever a volume is named by it: docker run makes an empty one of any other name', () => {
  const naming = pages.filter((page) => read(page).includes('<project>_'));
  expect(naming.length).toBeGreaterThan(2);
  for (const page of naming) {
    expect(read(page), page).toMatch(
      /`<project>` is\sthe name that `docker compose ls --all` shows\. Look in `docker volume ls`/,
    );
    expect(read(page), page).not.toContain('name of the folder');
  }
  // Nothing of the project is there yet, and its folder may have another name.
  expect(read('docs/moving.md')).toMatch(
    /## On the new machine\n.*`COMPOSE_PROJECT_NAME=<project>`.*<project>_/s,
  );
});

it('has the farm that JunimoServer created moved aside before a save from elsewhere is restored, which is refused beside it', () => {
  const [, section = ''] =
    /^## Import a save from elsewhere\n(.*?)^## /ms.exec(read('docs/backups.md')) ?? [];
  const steps = [
    'docker compose stop existing\n',
    'server node dist/main.js backup create --keep ',
    "sh -c 'mkdir /saves/Saves.before && mv /saves/Saves/* /saves/Saves.before/'\n",
    'server node dist/main.js backup restore --id <id>\n',
    'docker compose start existing\n',
    '`saves import <folder> ',
  ].map((step) => section.indexOf(step));
  expect(steps).not.toContain(-1);
  expect(steps).toEqual(steps.toSorted((a, b) => a - b));
  expect(read('docs/restoring.md')).toContain('(backups.md#import-a-save-from-elsewhere)');
});

it('says how the console of JunimoServer is opened wherever something is to be typed there, which docker attach does not reach', () => {
  const told = pages.flatMap((page) => read(page).match(/^.*\bits console\b.*$/gm) ?? []);
  const isOpened = /exec existing attach-cli`|\[in its console\]\(backups\.md#import-a-save-from-elsewhere\)/;
  expect(told.filter((line) => !isOpened.test(line))).toEqual([]);
  expect(told.length).toBeGreaterThan(3);
  expect(Object.keys(compose.services)).toContain('existing');
  expect(read('docs/backups.md')).toContain(' exec -it farm-<name>-0 -c existing -- attach-cli`');
  const pod = read('deploy/kubernetes/components/existing-server/container.yaml');
  expect(pod).toMatch(/^ +- name: existing$/m);
});

it('points EXISTING_URL at no service of ours, which leads back to Steward itself', () => {
  const hosts = pages.flatMap((page) =>
    [...read(page).matchAll(/EXISTING_URL=http:\/\/([\w.-]+)/g)].map(([, host = '']) => host),
  );
  const others = Object.keys(compose.services).filter((name) => name !== 'existing');
  expect(hosts.filter((host) => others.includes(host))).toEqual([]);
  expect(hosts.length).toBeGreaterThan(1);
});

it('gives our container and that of an existing server a network in common, and leaves that one in its own', () => {
  const [, section = ''] =
    /^## Our control API in front of it\n(.*?)^## /ms.exec(read('docs/migrating.md')) ?? [];
  const overrides: Compose[] = [...section.matchAll(/^```yaml\n(.*?)^```/gms)].map(([, text = '']) =>
    parse(text),
  );
  const joined = 'steward-existing';
  expect(section).toContain(`\`docker network create ${joined}\``);
  expect(overrides.map(({ networks }) => networks)).toEqual([
    { [joined]: { external: true } },
    { [joined]: { external: true } },
  ]);
  expect(overrides.map(({ services }) => services.server.networks)).toEqual([[joined], ['default', joined]]);
});

it('has an existing server stopped and its farm copied before ours starts for the first time, which would make a new farm', () => {
  const [, section = ''] =
    /^## Both parts with our compose file\n(.*?)^### What your/ms.exec(read('docs/migrating.md')) ?? [];
  const [, project] = /^COMPOSE_PROJECT_NAME=(\w+)/m.exec(section) ?? [];
  const copied = [...section.matchAll(/^ *docker run --rm -v <[^>]+>:\/from:ro -v (\S+):\/to .* cp -a /gm)];
  const kept = mounts(compose.services.existing).filter(({ source }) => source !== 'game');
  expect(copied.map(([, volume]) => volume)).toEqual(kept.map(({ source }) => `${project}_${source}`));
  for (const { target } of kept) expect(section).toContain(`\`${target}\``);
  const steps = [
    '`docker compose down` right after a new day has begun, while nobody plays: that server saves only when a day ends. Never add `--volumes`',
    `-v ${project}_existing-saves:/to `,
    '`docker compose run --rm platform-auth setup`',
  ].map((step) => section.indexOf(step));
  expect(steps).not.toContain(-1);
  expect(steps).toEqual(steps.toSorted((a, b) => a - b));
  // Whoever has such a server is sent there before the steps that make a new farm.
  expect(read('docs/quick-start.md')).toMatch(
    /\(migrating\.md#both-parts-with-our-compose-file\).*\n## Set it up\n/s,
  );
});

it('has the UDP port for direct IP published wherever a page tells of it, as the compose file publishes none of a game with a bridge', () => {
  const udp = ({ ports = [] }: { ports?: string[] }) => ports.filter((port) => port.endsWith('/udp'));
  const { server, existing } = compose.services;
  expect(udp(server)).toEqual([]);
  const [, override = ''] =
    /^## Players who join by direct IP\n.*?^```yaml\n(.*?)^```/ms.exec(read('docs/game-in-docker.md')) ?? [];
  const { services }: Compose = parse(override);
  expect(udp(services.server)).toEqual(['24642:24642/udp']);
  expect(udp(existing).join()).toContain('24642}:24642/udp');
  const telling = /^.*(?:allowIpConnections=true|For direct IP|`ready: true`).*$/gm;
  const told = ['players-cannot-join', 'farms-on-one-machine'].flatMap(
    (name) => read(`docs/${name}.md`).match(telling) ?? [],
  );
  expect(told).toHaveLength(3);
  for (const line of told) expect(line).toContain('(game-in-docker.md#players-who-join-by-direct-ip)');
});

it('makes a container in a project that a line names only with its compose file, which the terminal of a NAS does not have', () => {
  const typed = pages.flatMap((page) => read(page).match(/docker[ -]compose -p \S[^\n`]*/g) ?? []);
  expect(typed.length).toBeGreaterThan(2);
  const making = typed.filter((line) => / (?:run|up|create|build) /.test(line));
  expect(making.filter((line) => !line.includes(' -f '))).toEqual([]);
  expect(typed).toContain('docker compose -p <stack> exec platform-auth node dist/main.js login');
});

it('tells whoever gives up the volume of the game that an existing server keeps its own backups in it', () => {
  const removing = pages.filter((page) => /volume rm [^\n`]*_game\b/.test(read(page)));
  for (const page of removing)
    expect(read(page), page).toMatch(/tar -C \/game -c save-backups > .*volume rm [^\n`]*_game\b/s);
  const rows = pages.flatMap((page) => read(page).match(/^\|.* downloaded again\b.*\|$/gm) ?? []);
  expect(rows.filter((row) => !row.includes('`save-backups`'))).toEqual([]);
  expect(read('docs/moving.md')).toContain('`save-backups`');
  expect([removing.length > 0, rows.length > 1]).toEqual([true, true]);
});

it('has steward.cursor deleted wherever a page tells of whole copies: no cursor may stand for two events', () => {
  const whole =
    /snapshots of the volume|panel's own backups|copy volumes with other tools|copy in its place/g;
  const told = pages.flatMap((page) => {
    const text = read(page);
    // The rest of the paragraph, or what is listed after it.
    return [...text.matchAll(whole)].map(({ index }) => text.slice(index, index + 400));
  });
  expect(told.filter((words) => !words.includes('steward.cursor`'))).toEqual([]);
  expect(told).toHaveLength(whole.source.split('|').length);
});

it('tells of commands of the control API that there are, with options that they take', () => {
  const typed = pages.flatMap((page) => [
    ...read(page).matchAll(
      /(?:exec (?:-T )?server node dist\/main\.js|run --rm --no-deps server) ((?:[a-z]+ ?)+)([^\n`]*)/g,
    ),
  ]);
  const wrong = typed.filter(([, words = '', rest = '']) => {
    const { flags = {}, options = {} } = program.commands[words.trim()] ?? {};
    const named = [...rest.matchAll(/--([a-z-]+)/g)].map(([, option = '']) => option);
    return (
      !(words.trim() in program.commands) || named.some((option) => !(option in flags || option in options))
    );
  });
  expect(wrong.map(([line]) => line)).toEqual([]);
  expect(typed.length).toBeGreaterThan(8);
});

function read(path: string): string {
  return readFileSync(new URL(path, root), 'utf8');
}
