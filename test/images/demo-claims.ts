import { type Claim, unless } from './claim.ts';
import { type Compose, type ComposeService, mounts, operatorVariable } from './compose.ts';

export const real = ['server', 'platform-auth'];
/** Each waits for the next. */
export const demo = ['demo', 'demo-server', 'demo-platform-auth', 'demo-platform'];

export const demoClaims: Claim<Compose>[] = [
  {
    says: 'the demo is there only when it is asked for',
    problems: ({ services }) => [
      ...demo.flatMap((name) =>
        unless(services[name]?.profiles?.join() === 'demo', `${name} is not in the profile demo`),
      ),
      ...real.flatMap((name) => unless(services[name]?.profiles === undefined, `${name} is in a profile`)),
    ],
    breaks: {
      'the farm always': ({ services }) => delete services['demo']?.profiles,
      'the server in the demo alone': ({ services }) => {
        services.server.profiles = ['demo'];
      },
    },
  },
  {
    says: 'the demo touches nothing of a real server: no volume, no network',
    problems: ({ services }) =>
      (['volumes', 'networks'] as const).flatMap((what) => {
        const theirs = new Set(real.flatMap((name) => named(services[name], what)));
        const ours = demo.flatMap((name) => named(services[name], what));
        return unless(
          ours.every((name) => !theirs.has(name)),
          `they share one of the ${what}: ${ours.filter((name) => theirs.has(name)).join(', ')}`,
        );
      }),
    breaks: {
      'the settings': ({ services }) => services['demo-server']?.volumes?.push('settings:/data/settings'),
      "the sidecar's way out": ({ services }) => services['demo-platform-auth']?.networks?.push('platform'),
    },
  },
  {
    says: 'the demo’s farm has nothing of its server but the socket: not the keys, nor the audit',
    problems: ({ services }) => {
      const servers = named(services['demo-server'], 'volumes');
      const shared = named(services['demo'], 'volumes').filter((name) => servers.includes(name));
      return unless(shared.sort().join() === 'demo-bridge,demo-farm', `they share ${shared.join(', ')}`);
    },
    breaks: {
      'the state': ({ services }) => services['demo']?.volumes?.push('demo-state:/data/state'),
    },
  },
  {
    says: 'each part of the demo waits until the next is healthy, so that naming the first brings all',
    problems: ({ services }) =>
      demo.slice(1).flatMap((next, index) => {
        const name = demo[index] ?? '';
        const waits = services[name]?.depends_on ?? {};
        return unless(
          Object.keys(waits).join() === next && waits[next]?.condition === 'service_healthy',
          `${name} does not wait for ${next} alone`,
        );
      }),
    breaks: {
      'at once': ({ services }) => delete services['demo']?.depends_on,
      'the real sidecar': ({ services }) => {
        const { 'demo-server': server } = services;
        if (server) server.depends_on = { 'platform-auth': { condition: 'service_healthy' } };
      },
    },
  },
  {
    says: 'what the demo waits for is looked at every few seconds, so that three waits are short',
    problems: ({ services }) =>
      demo.slice(1).flatMap((name) => {
        const interval = services[name]?.healthcheck?.interval;
        return unless(
          /^[1-3]s$/.test(interval ?? ''),
          `${name} is looked at every ${interval ?? 'as its image says'}`,
        );
      }),
    breaks: {
      "the image's ten seconds": ({ services }) => delete services['demo-server']?.healthcheck,
    },
  },
  {
    says: 'only the API of the demo and its page are published, on loopback and not where the real one is',
    problems: ({ services }) => {
      const wanted = [
        `127.0.0.1:${operatorVariable('DEMO_API_PORT', '8081')}:8080`,
        `127.0.0.1:${operatorVariable('DEMO_DASHBOARD_PORT', '8091')}:8090`,
      ].join();
      return demo.flatMap((name) => {
        const ports = services[name]?.ports?.join();
        return unless(ports === (name === 'demo-server' ? wanted : undefined), `${name} publishes ${ports}`);
      });
    },
    breaks: {
      "the real one's port": ({ services }) => {
        const { 'demo-server': server } = services;
        if (server) server.ports = services.server.ports ?? [];
      },
      'the emulator': ({ services }) => {
        const { 'demo-platform': platform } = services;
        if (platform) platform.ports = ['127.0.0.1:8443:8443'];
      },
    },
  },
  {
    says: 'the farm, which is there last of all, says which link to open',
    problems: ({ services }) => {
      const link = `http://127.0.0.1:${operatorVariable('DEMO_DASHBOARD_PORT', '8091')}/`;
      const said = services['demo']?.environment?.['FARM_GREETING'] ?? 'nothing';
      return unless(said.includes(link), `it says ${said}`);
    },
    breaks: {
      'not a word': ({ services }) => delete services['demo']?.environment?.['FARM_GREETING'],
    },
  },
  {
    says: 'once players can join, the farm says what to try, with the port that is published',
    problems: ({ services }) => {
      const api = `http://127.0.0.1:${operatorVariable('DEMO_API_PORT', '8081')}`;
      const said = services['demo']?.environment?.['FARM_HINTS'] ?? 'nothing';
      const withKey = 'If you set DEMO_API_KEY, add to curl: -H "Authorization: Bearer ';
      return [`curl ${api}/status`, `${api}/docs`, 'docker compose exec demo', withKey].flatMap((hint) =>
        unless(said.includes(hint), `it does not say ${hint}`),
      );
    },
    breaks: {
      'not a word': ({ services }) => delete services['demo']?.environment?.['FARM_HINTS'],
      'not a word of the key': ({ services }) => {
        const environment = services['demo']?.environment;
        if (environment)
          environment['FARM_HINTS'] = environment['FARM_HINTS']?.replace(/.*DEMO_API_KEY.*/, '') ?? '';
      },
    },
  },
  {
    says: 'every log of the demo is for people',
    problems: ({ services }) =>
      ['demo', 'demo-server', 'demo-platform-auth'].flatMap((name) => {
        const format = services[name]?.environment?.['LOG_FORMAT'];
        return unless(format === 'pretty', `${name} writes ${format} lines`);
      }),
    breaks: {
      'lines for machines': ({ services }) => delete services['demo-server']?.environment?.['LOG_FORMAT'],
    },
  },
  {
    says: 'the emulated platform is in a network alone that leads nowhere, and the farm in none',
    problems: ({ services, networks }) => [
      ...unless(services['demo']?.network_mode === 'none', 'the farm has a network'),
      ...['demo-platform', 'demo-platform-auth'].flatMap((name) =>
        named(services[name], 'networks').flatMap((network) =>
          unless(networks[network]?.internal === true, `${name} is in ${network}, which leads outside`),
        ),
      ),
    ],
    breaks: {
      'a farm with a network': ({ services }) => delete services['demo']?.network_mode,
      'a way out': ({ services }) => services['demo-platform']?.networks?.push('demo-api'),
    },
  },
  {
    says: 'only the emulated platform writes what its clients trust',
    problems: ({ services }) =>
      demo.flatMap((name) =>
        mounts(services[name] ?? {})
          .filter(({ source, mode }) => source === 'demo-clients' && mode !== 'ro')
          .flatMap(() => unless(name === 'demo-platform', `${name} may write it`)),
      ),
    breaks: {
      'the farm too': ({ services }) => services['demo']?.volumes?.push('demo-clients:/data/c'),
    },
  },
];

function named(service: ComposeService | undefined, what: 'volumes' | 'networks'): string[] {
  if (service === undefined) return [];
  return what === 'networks' ? (service.networks ?? []) : mounts(service).map(({ source }) => source);
}
