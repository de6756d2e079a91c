import { type Claim, unless } from './claim.ts';
import { type Compose, type ComposeService, each } from './compose.ts';

const image = /^\$\{EXISTING_IMAGE:-([a-z0-9.-]+\.invalid\/[a-z0-9/-]+:[\w.-]+)\}$/;

/** The profile that adds the existing server's game to our two services. */
export const existingClaims: Claim<Compose>[] = [
  {
    says: 'only who asks for the profile has the existing server’s game',
    problems: ({ services }) => [
      ...unless(services.existing.profiles?.join() === 'existing', 'existing starts for everybody'),
      ...(['server', 'platform-auth'] as const).flatMap((name) =>
        unless(services[name].profiles === undefined, `${name} is not always there`),
      ),
    ],
    breaks: {
      always: ({ services }) => {
        delete services.existing.profiles;
      },
    },
  },
  {
    says: 'an image that is not set fails by a name that says so, which nobody can ever publish, and under the profile alone',
    // A variable that is demanded (`:?`) or empty fails both versions of compose for everybody.
    problems: ({ services: { existing } }) =>
      unless(
        image.test(existing.image ?? '') && String(existing.image).includes('is-not-set'),
        `the image is ${existing.image}`,
      ),
    breaks: {
      'no default': ({ services }) => {
        services.existing.image = '$' + '{EXISTING_IMAGE:-}';
      },
      'demanded of everybody': ({ services }) => {
        services.existing.image = '$' + '{EXISTING_IMAGE:?set it}';
      },
    },
  },
  {
    says: 'the existing server’s API is reachable from our two services alone',
    problems: (compose) => {
      const { existing } = compose.services;
      const tcp = (existing.ports ?? []).filter((port) => !port.endsWith('/udp'));
      const neighbours = each(compose).filter(
        ([name, service]) => name !== 'existing' && shared(existing, service).length > 0,
      );
      return [
        ...unless(tcp.length === 0, `${tcp.join()} is published`),
        ...unless(existing.network_mode === undefined, 'it has a network of the host'),
        ...unless(
          neighbours.map(([name]) => name).join() === 'server,platform-auth',
          `${neighbours.map(([name]) => name).join()} reach it`,
        ),
        ...neighbours.flatMap(([, service]) =>
          shared(existing, service).flatMap((network) =>
            unless(compose.networks[network]?.internal === true, `${network} leads outside`),
          ),
        ),
      ];
    },
    breaks: {
      published: ({ services }) => services.existing.ports?.push('127.0.0.1:8081:8080'),
      'a network that leads outside': ({ services }) => services.existing.networks?.push('api'),
      "the host's network": ({ services }) => {
        services.existing.network_mode = 'host';
      },
      'out of our reach': ({ services }) => services.existing.networks?.pop(),
    },
  },
  {
    says: 'the existing server runs the game that our sidecar downloads, and asks that sidecar',
    problems: ({ services: { existing } }) => [
      ...unless(existing.volumes?.includes('game:/data/game') === true, 'it has another game'),
      ...unless(
        existing.environment?.['STEAM_AUTH_URL'] === 'http://platform-auth:3001',
        'it asks another sidecar',
      ),
      ...unless(
        existing.depends_on?.['platform-auth']?.condition === 'service_healthy',
        'it does not wait for it',
      ),
    ],
    breaks: {
      'its own game': ({ services }) => services.existing.volumes?.shift(),
      'another sidecar': ({ services }) => {
        services.existing.environment = {};
      },
      'at once': ({ services }) => {
        delete services.existing.depends_on;
      },
    },
  },
];

function shared(one: ComposeService, other: ComposeService): string[] {
  return (one.networks ?? []).filter((network) => other.networks?.includes(network));
}
