import { type Claim, unless } from './claim.ts';
import { type Compose, mounts } from './compose.ts';

const monitoring = ['prometheus', 'grafana'];

export const monitoringClaims: Claim<Compose>[] = [
  {
    says: 'monitoring is there only when it is asked for',
    problems: ({ services }) =>
      monitoring.flatMap((name) =>
        unless(services[name]?.profiles?.join() === 'monitoring', `${name} is not in the profile monitoring`),
      ),
    breaks: { 'Grafana always': ({ services }) => delete services['grafana']?.profiles },
  },
  {
    says: 'every port is published on loopback alone unless an address is named, but those that players come in by',
    problems: ({ services }) =>
      Object.entries(services).flatMap(([name, { ports = [] }]) =>
        ports
          .filter((port) => name !== 'existing' || !port.endsWith('/udp'))
          .flatMap((port) =>
            unless(/^(127\.0\.0\.1|\$\{API_BIND:-127\.0\.0\.1\}):/.test(port), `${name} publishes ${port}`),
          ),
      ),
    breaks: {
      'Prometheus to everybody': ({ services }) => {
        const { prometheus } = services;
        if (prometheus) prometheus.ports = ['9090:9090'];
      },
    },
  },
  {
    says: 'monitoring reads measurements and no volume of the services',
    problems: ({ services }) =>
      monitoring.flatMap((name) =>
        mounts(services[name] ?? {}).flatMap(({ source }) =>
          unless(source === name || source.startsWith('./deploy/'), `${name} mounts ${source}`),
        ),
      ),
    breaks: {
      'the session': ({ services }) => services['prometheus']?.volumes?.push('session:/s:ro'),
    },
  },
];
