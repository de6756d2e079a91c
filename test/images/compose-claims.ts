import { type Claim, unless } from './claim.ts';
import { type Compose, each, mounts, operatorVariable } from './compose.ts';

export const composeClaims: Claim<Compose>[] = [
  {
    says: 'the session volume is mounted by the sidecar alone',
    problems: (compose) => {
      const holders = each(compose).filter(([, service]) =>
        mounts(service).some(
          ({ source, target }) =>
            source === 'session' || (target === '/data/platform-session' && source !== 'demo-session'),
        ),
      );
      return unless(
        holders.map(([name]) => name).join() === 'platform-auth',
        `mounted by ${holders.map(([name]) => name).join(', ')}`,
      );
    },
    breaks: {
      'the server too': ({ services }) => services.server.volumes?.push('session:/data/session'),
      'read-only is too much as well': ({ services }) =>
        services.server.volumes?.push('session:/data/platform-session:ro'),
      'by nobody': ({ services }) => services['platform-auth'].volumes?.shift(),
    },
  },
  {
    says: 'both share the game volume, which only the sidecar writes',
    problems: ({ services }) => [
      ...unless(
        services.server.volumes?.includes('game:/data/game:ro') === true,
        'the server does not only read it',
      ),
      ...unless(
        services['platform-auth'].volumes?.includes('game:/data/game') === true,
        'the sidecar lacks it',
      ),
    ],
    breaks: {
      'the server writes': ({ services }) => {
        services.server.volumes = services.server.volumes?.map((volume) => volume.replace(':ro', '')) ?? [];
      },
      'the sidecar has its own': ({ services }) => services['platform-auth'].volumes?.pop(),
    },
  },
  {
    says: 'only named volumes are mounted, and of the host what deploy/ has, to be read',
    problems: (compose) =>
      each(compose).flatMap(([name, service]) =>
        mounts(service).flatMap(({ source, mode }) =>
          unless(
            Object.hasOwn(compose.volumes, source) || (source.startsWith('./deploy/') && mode === 'ro'),
            `${name} mounts ${source}`,
          ),
        ),
      ),
    breaks: {
      "the engine's socket": ({ services }) =>
        services.server.volumes?.push('/var/run/docker.sock:/var/run/docker.sock'),
      'deploy/ to be written': ({ services }) =>
        services.server.volumes?.push('./deploy/prometheus:/data/prometheus'),
    },
  },
  {
    says: 'no container is given all the volumes of another, such as the session',
    problems: (compose) =>
      each(compose).flatMap(([name, service]) =>
        unless(service.volumes_from === undefined, `${name} has the volumes of ${service.volumes_from}`),
      ),
    breaks: { "the sidecar's": ({ services }) => (services.server.volumes_from = ['platform-auth']) },
  },
  {
    says: 'port 3001 is published nowhere and reachable on an internal network alone',
    problems: ({ services, networks }) => {
      const { server, 'platform-auth': sidecar } = services;
      const common = server.networks?.filter((network) => sidecar.networks?.includes(network)) ?? [];
      const published = [...(server.ports ?? []), ...(sidecar.ports ?? [])].filter((port) =>
        /3001/.test(port),
      );
      return [
        ...unless(
          sidecar.ports === undefined && published.length === 0,
          'a port of the sidecar is published',
        ),
        ...unless(sidecar.network_mode === undefined, 'the sidecar has a network of the host'),
        ...unless(common.length > 0, 'the server does not reach the sidecar'),
        ...common.flatMap((network) =>
          unless(networks[network]?.internal === true, `${network} leads outside`),
        ),
      ];
    },
    breaks: {
      published: ({ services }) => {
        services['platform-auth'].ports = ['127.0.0.1:3001:3001'];
      },
      'a network that leads outside': ({ networks }) => {
        networks['sidecar'] = {};
      },
      'one more common network': ({ services }) => services['platform-auth'].networks?.push('api'),
      "the host's network": ({ services }) => {
        services['platform-auth'].network_mode = 'host';
      },
      'no common network': ({ services }) => {
        services.server.networks = ['api'];
      },
    },
  },
  {
    says: "the API and the page are published on this machine's loopback unless another address is named, their ports chosen outside only",
    problems: ({ services }) =>
      unless(
        services.server.ports?.join() ===
          [
            `${operatorVariable('API_BIND', '127.0.0.1')}:${operatorVariable('API_PORT', '8080')}:8080`,
            `${operatorVariable('API_BIND', '127.0.0.1')}:${operatorVariable('DASHBOARD_PORT', '8090')}:8090`,
          ].join(),
        `the server publishes ${services.server.ports?.join()}`,
      ),
    breaks: {
      'every address': ({ services }) => {
        services.server.ports = ['8080:8080'];
      },
      'the page on every address': ({ services }) => {
        services.server.ports?.splice(1, 1, '8090:8090');
      },
      'every address unless one is named': ({ services }) => {
        services.server.ports = (services.server.ports ?? []).map((port) =>
          port.replace('127.0.0.1', '0.0.0.0'),
        );
      },
    },
  },
  {
    says: 'the server brings its sidecar along, and waits for no health check of it, whose first may come after a minute',
    problems: ({ services }) =>
      unless(
        services.server.depends_on?.['platform-auth']?.condition === 'service_started',
        'the server waits, or comes alone',
      ),
    breaks: {
      'a wait': ({ services }) => {
        services.server.depends_on = { 'platform-auth': { condition: 'service_healthy' } };
      },
      'no sidecar': ({ services }) => delete services.server.depends_on,
    },
  },
  {
    says: 'compose 1.29 and 2 both read it',
    problems: ({ version }) => unless(version === undefined, 'version 2 warns of a version key'),
    breaks: {
      'a version key': (compose) => {
        compose.version = '3.9';
      },
    },
  },
];
