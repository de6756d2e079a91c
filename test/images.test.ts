import { readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { compiledAnew } from '@steward/testing/compiled-anew';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { variables as controlApiVariables } from '../packages/control-api/src/configuration.ts';
import { variables as discordBotVariables } from '../packages/discord-bot/src/configuration.ts';
import { variables as mcpVariables } from '../packages/mcp-server/src/configuration.ts';
import { variables as platformAuthVariables } from '../packages/platform-auth/src/configuration.ts';
import { secretNames } from '../packages/service-kit/src/configuration/variable.ts';
import { nodeOptionsOf, type ServiceName, type ShippedService, services } from '../tools/bundle/services.ts';
import { composeVariables, fixedByCompose } from '../tools/pages/configuration.ts';
import { auditClaims } from './images/audit-claims.ts';
import type { Claim } from './images/claim.ts';
import { codeqlClaims } from './images/codeql-claims.ts';
import { type Compose, mounts, ours } from './images/compose.ts';
import { composeClaims } from './images/compose-claims.ts';
import { demo, demoClaims, real } from './images/demo-claims.ts';
import { finalStage, onlyTarget, valuesOf } from './images/dockerfile.ts';
import { dockerfileClaims } from './images/dockerfile-claims.ts';
import { environmentClaim } from './images/environment-claims.ts';
import { existingClaims } from './images/existing-claims.ts';
import { monitoringClaims } from './images/monitoring-claims.ts';
import { releaseClaims } from './images/release-claims.ts';
import { stoppingClaims } from './images/stopping-claims.ts';
import { ciClaims, type Workflow, workflowClaims } from './images/workflow-claims.ts';

const compose: Compose = parse(read('docker-compose.yml'), { merge: true });

hold('docker-compose.yml', compose, [
  ...composeClaims,
  ...demoClaims,
  ...monitoringClaims,
  ...stoppingClaims,
  ...existingClaims,
  environmentClaim('server', controlApiVariables),
  environmentClaim('platform-auth', platformAuthVariables),
  environmentClaim('discord-bot', discordBotVariables),
  environmentClaim('mcp', mcpVariables),
]);

const serviceNames = Object.keys(services) as ServiceName[];

const something = expect.stringMatching(/./);

describe('every container of ours, whatever it does,', () => {
  it('is one of the real server or of the demo, or the bot, or what an assistant’s host starts', () => {
    expect(new Set(ours(compose).map(([name]) => name))).toEqual(
      new Set([...real, ...demo, 'discord-bot', 'mcp']),
    );
  });

  it.each(ours(compose))(
    'writes to its volumes and /tmp alone, gains no privilege, comes back, fills no disk: %s',
    (name, service) => {
      expect(service).toMatchObject({
        read_only: true,
        tmpfs: expect.arrayContaining(['/tmp']),
        cap_drop: ['ALL'],
        security_opt: expect.arrayContaining(['no-new-privileges:true']),
        init: true,
        // Its host starts it again, with another conversation.
        restart: name === 'mcp' ? 'no' : 'unless-stopped',
        logging: { options: { 'max-size': something, 'max-file': something } },
      });
      for (const privilege of ['cap_add', 'privileged', 'user'])
        expect(service).not.toHaveProperty(privilege);
    },
  );

  it.each(ours(compose))(
    'keeps its image’s health check, at most looked at more often: %s',
    (_name, service) => {
      const { interval: _, ...changed } = service.healthcheck ?? {};
      expect(changed).toEqual({});
    },
  );
});

/** The prefix and the port that a health check is given are where the service listens where nobody says otherwise. */
const healthOf = {
  server: `CMD ["health", "API_", "${controlApiVariables.API_PORT.fallback}"]`,
  'platform-auth': `CMD ["health", "", "${platformAuthVariables.PORT.fallback}"]`,
  'discord-bot': 'CMD ["node", "dist/main.js", "healthcheck"]',
} as const;

const serviceOf = { server: 'control-api', 'platform-auth': 'platform-auth' } as const;

for (const service of ['server', 'platform-auth', 'discord-bot'] as const) {
  const { [service]: definition } = compose.services;
  const name = definition.build?.dockerfile ?? '';
  const mountPoints = mounts(definition).map(({ target }) => target);
  const command = startOf(service === 'server' ? serviceOf.server : service);
  const claims = dockerfileClaims({
    health: healthOf[service],
    command,
    folder: '/deployed',
    image: '/image',
    volumes: '/volumes',
  });
  hold(name, { text: read(name), mountPoints }, claims);
}

for (const [service, facts] of Object.entries({
  demo: {
    health: 'CMD ["node", "dist/farm.js", "show"]',
    command: startOf('simulated-game'),
    folder: '/farm',
    image: '/farm-image',
    volumes: '/farm-volumes',
  },
  'demo-platform': {
    health: 'CMD ["node", "dist/main.js", "--check", "--port", "8443"]',
    command: startOf('platform-emulator'),
    folder: '/platform',
    image: '/platform-image',
    volumes: '/platform-volumes',
  },
})) {
  const { [service]: definition = {} } = compose.services;
  const { dockerfile = '', target = '' } = definition.build ?? {};
  // What it only reads, another container has made.
  const written = mounts(definition).filter(({ mode }) => mode === 'rw');
  const mountPoints = written.map((mount) => mount.target);
  hold(
    `${dockerfile}, ${target}`,
    { text: onlyTarget(read(dockerfile), target), mountPoints },
    dockerfileClaims(facts),
  );
}

{
  // It listens nowhere, so that nothing could ask how it is; it keeps nothing, and brings no package along.
  const without = ["root's directories", 'one forgotten', 'a download', 'no maps'];
  const claims = dockerfileClaims({
    health: 'NONE',
    command: startOf('mcp-server'),
    folder: '/deployed',
    image: '/image',
  })
    .filter(({ says }) => !says.startsWith('its health'))
    .map(({ breaks, ...claim }) => ({
      ...claim,
      breaks: Object.fromEntries(Object.entries(breaks).filter(([name]) => !without.includes(name))),
    }));
  hold('Dockerfile.mcp', { text: read('Dockerfile.mcp'), mountPoints: [] }, claims);
}

const ofWorkflows: Readonly<Record<string, readonly Claim<Workflow>[]>> = {
  'audit.yml': auditClaims,
  'ci.yml': ciClaims,
  'codeql.yml': codeqlClaims,
  'release.yml': releaseClaims,
};

for (const name of readdirSync(new URL('../.github/workflows', import.meta.url))) {
  const workflow: Workflow = parse(read(`.github/workflows/${name}`));
  hold(name, workflow, [...workflowClaims, ...(ofWorkflows[name] ?? [])]);
}

it('what workflows run as the tests is what a person runs', () => {
  expect(read('.ci/run').trimEnd().split('\n').at(-1)).toBe('npm test');
});

it('what the compose file reads for itself stands in .env.example, with the same default', () => {
  const lines = read('docker-compose.yml')
    .split('\n')
    .filter((line) => !/^\s*#/.test(line));
  const found = [...lines.join('\n').matchAll(/\$\{([A-Z_]+)(?::?-([^}]*))?\}/g)]
    .map(([, name = '', fallback = '']) => [name, fallback] as const)
    .filter(
      ([name]) =>
        ![controlApiVariables, platformAuthVariables, discordBotVariables, mcpVariables].some((table) =>
          [...Object.keys(table), ...secretNames(table)].includes(name),
        ),
    );
  const known = Object.entries(composeVariables);
  expect([...new Set(found.map(([name]) => name))].sort()).toEqual(known.map(([name]) => name).sort());
  for (const [name, fallback] of found)
    expect(composeVariables[name]?.fallback ?? fallback, name).toBe(fallback);
});

it('what the compose file does not pass on is marked so in .env.example', () => {
  const passed = new Set([...read('docker-compose.yml').matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name));
  const tables = [controlApiVariables, platformAuthVariables, discordBotVariables, mcpVariables];
  const services = tables.flatMap((table) => Object.keys(table));
  expect(new Set(services.filter((name) => !passed.has(name)))).toEqual(fixedByCompose);
});

it.each(['README.md', 'docs/operators.md', 'docker-compose.yml'])(
  '%s names all of the demo, as Ctrl-C ends what was named',
  (file) => {
    expect(read(file)).toContain(`docker compose --profile demo up ${demo.join(' ')}\n`);
  },
);

it('published images have the names that operators are told', () => {
  const { jobs }: Workflow = parse(read('.github/workflows/release.yml'));
  const images = Object.values(jobs).flatMap(({ strategy }) => strategy?.matrix?.include ?? []);
  for (const { image } of images)
    expect(read('docs/operators.md')).toContain(`=ghcr.io/<owner>/${image}:preview`);
});

it('has a bot that pins actions and images to digests', () => {
  const { extends: presets }: { extends: string[] } = JSON.parse(read('.github/renovate.json'));
  expect(presets).toEqual(
    expect.arrayContaining(['config:recommended', 'helpers:pinGitHubActionDigests', 'docker:pinDigests']),
  );
});

it('shows a build what it names and nothing else, an .env least of all', () => {
  const lines = read('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  expect(lines[0]).toBe('*');
  expect(lines.filter((line) => line.startsWith('!'))).toEqual([
    '!package.json',
    '!pnpm-lock.yaml',
    '!pnpm-workspace.yaml',
    ...serviceNames.flatMap(documentsOf).map((document) => `!${document}`),
    '!packages',
    '!tools',
    '!tsconfig.json',
  ]);
});

it('is checked out by Git for Windows as on Linux: a script with the line ends of Windows would run in no image', () => {
  expect(read('.gitattributes').split('\n')).toContain('* text=auto eol=lf');
});

it.each(readdirSync(new URL('..', import.meta.url)).filter((name) => name.startsWith('Dockerfile.')))(
  'a build by %s has the documents that go into the bundles that it makes',
  (name) => {
    const text = read(name);
    const bundled = serviceNames.filter((service) => text.includes(`node tools/bundle/main.ts ${service} `));
    expect(bundled).not.toEqual([]);
    for (const document of bundled.flatMap(documentsOf))
      expect(text).toContain(`\nCOPY ${document} ${dirname(document)}/\n`);
  },
);

it('has root’s programs on the PATH of the image on Debian, where people who add a game call dpkg and useradd', () => {
  const text = read('Dockerfile.server');
  const debian = finalStage(text.slice(0, text.lastIndexOf('\nFROM ')));
  expect(valuesOf('FROM', debian)).toContain('small AS debian');
  const paths = valuesOf('ENV', debian).flatMap((value) => /\bPATH=(\S+)/.exec(value)?.slice(1) ?? []);
  const folders = paths.at(-1)?.split(':');
  expect(folders).toEqual(expect.arrayContaining(['/usr/local/sbin', '/usr/sbin', '/sbin']));
});

it.each(Object.values(serviceOf))('%s is started by systemd as it is in its image', (service) => {
  const [, ...options] = startOf(service).slice(0, -1);
  expect(read(`deploy/systemd/steward-${service}.service`).split('\n')).toContain(
    `ExecStart=${['/usr/bin/node', ...options, `/opt/steward/${service}/dist/main.js`, 'serve'].join(' ')}`,
  );
});

it('a sidecar that crashes leaves no core file, which would have the account’s secrets in it', () => {
  expect(compose.services['platform-auth']).toMatchObject({ ulimits: { core: 0 } });
  expect(read('deploy/systemd/steward-platform-auth.service').split('\n')).toContain('LimitCORE=0');
});

it('systemd leaves the game to the control API, which warns players and has it save', () => {
  // Otherwise SIGTERM goes to every process of a unit at once, whatever process group it is in.
  expect(read('deploy/systemd/steward-control-api.service').split('\n')).toContain('KillMode=mixed');
});

it.each(serviceNames)('npm gives %s the options of its image', (service) => {
  const script = service === 'simulated-game' ? 'simulated-farm' : service;
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(read('package.json'));
  const started = ['env', 'node', ...nodeOptionsOf(service), `packages/${service}/src/main.ts`].join(' ');
  expect(scripts[script]?.endsWith(` exec ${started}`)).toBe(true);
});

it('no service can be opened by Node’s inspector', () => {
  for (const service of serviceNames) expect(nodeOptionsOf(service)).toContain('--disable-sigusr1');
});

it.each(['control-api', 'platform-auth', 'simulated-game', 'platform-emulator'] as const)(
  '%s starts with what Node has compiled of itself beforehand',
  (service) => {
    expect(compiledAnew(nodeOptionsOf(service))).toBe(0);
  },
);

function documentsOf(service: ServiceName): readonly string[] {
  const { documents = [] }: ShippedService = services[service];
  return documents;
}

/** The command that runs a service's bundle. */
function startOf(service: ServiceName): readonly string[] {
  return ['node', ...nodeOptionsOf(service), 'dist/main.js'];
}

/** Holds each claim against the document, and against each broken copy of it to see the claim fail. */
function hold<Document>(name: string, document: Document, claims: readonly Claim<Document>[]): void {
  describe(name, () => {
    describe.each(claims)('$says', ({ problems, breaks }) => {
      it('holds', () => {
        expect(problems(document)).toEqual([]);
      });

      it.each(Object.entries(breaks))('notices: %s', (_, change) => {
        const broken = structuredClone(document);
        change(broken);
        expect(broken).not.toEqual(document);
        expect(problems(broken)).not.toEqual([]);
      });
    });
  });
}

function read(path: string): string {
  return readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
}
