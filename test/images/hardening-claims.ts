import { type Claim, unless } from './claim.ts';
import { type Compose, type ComposeService, ours } from './compose.ts';
import { demo, real } from './demo-claims.ts';

/** What holds for every container of ours, whatever it does. */
export const hardeningClaims: Claim<Compose>[] = [
  every('has a root file system that nobody can write to', ({ read_only }) => read_only === true, {
    'a writable root': (service) => {
      service.read_only = false;
    },
  }),
  every('has a /tmp all the same', ({ tmpfs }) => tmpfs?.includes('/tmp') === true, {
    'no /tmp': (service) => {
      service.tmpfs = [];
    },
  }),
  every(
    'has no capability',
    ({ cap_drop, cap_add, privileged }) => cap_drop?.join() === 'ALL' && !cap_add && !privileged,
    {
      'some left': (service) => {
        service.cap_drop = ['NET_RAW'];
      },
      'one added': (service) => {
        service.cap_add = ['SYS_ADMIN'];
      },
      'all of them': (service) => {
        service.privileged = true;
      },
    },
  ),
  every(
    'gains no privilege',
    ({ security_opt }) => security_opt?.includes('no-new-privileges:true') === true,
    {
      'no such option': (service) => {
        service.security_opt = [];
      },
    },
  ),
  every("runs as its image's user", ({ user }) => user === undefined, {
    root: (service) => {
      service.user = 'root';
    },
  }),
  every(
    "keeps its image's health check, at most looked at more often",
    ({ healthcheck = {} }) => Object.keys(healthcheck).every((setting) => setting === 'interval'),
    {
      'switched off': (service) => {
        service.healthcheck = { disable: true };
      },
      'another command': (service) => {
        service.healthcheck = { interval: '3s', test: ['CMD', 'true'] };
      },
    },
  ),
  every('has an init that reaps and forwards signals', ({ init }) => init === true, {
    none: (service) => {
      service.init = false;
    },
  }),
  every('comes back unless an operator stopped it', ({ restart }) => restart === 'unless-stopped', {
    'stays away': (service) => {
      service.restart = 'no';
    },
  }),
  every(
    'has logs that cannot fill the disk',
    ({ logging }) => Boolean(logging?.options?.['max-size'] && logging.options['max-file']),
    {
      'no limit': (service) => {
        service.logging = {};
      },
    },
  ),
];

function every(
  says: string,
  holds: (service: ComposeService) => boolean,
  breaks: Record<string, (service: ComposeService) => void>,
): Claim<Compose> {
  return {
    says: `each container ${says}`,
    problems: (compose) =>
      ours(compose).flatMap(([name, service]) => unless(holds(service), `${name} does not`)),
    breaks: Object.fromEntries(
      Object.entries(breaks).flatMap(([how, change]) =>
        [...real, ...demo].map((name) => [
          `${how} for ${name}`,
          ({ services: { [name]: service } }: Compose) => service && change(service),
        ]),
      ),
    ),
  };
}
