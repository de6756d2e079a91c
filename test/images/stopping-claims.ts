import { variables } from '../../packages/control-api/src/configuration.ts';
import { stopLimitMs } from '../../packages/control-api/src/serve.ts';
import { readConfiguration } from '../../packages/service-kit/src/configuration/read.ts';
import { otherByCompose } from '../../tools/pages/configuration.ts';
import { type Claim, unless } from './claim.ts';
import type { Compose } from './compose.ts';

/** When the server leaves by itself at the latest, with what the compose file sets, or else the defaults. */
const serverLimitMs = stopLimitMs(readConfiguration(variables, otherByCompose));

export const stoppingClaims: Claim<Compose>[] = [
  {
    says: 'the server may take all the time to stop that it and its game have',
    problems: ({ services: { server } }) => {
      const [, seconds] = /^([0-9]+)s$/.exec(server.stop_grace_period ?? '') ?? [];
      return unless(
        Number(seconds) * 1_000 > serverLimitMs,
        `the engine kills it after ${server.stop_grace_period ?? 'its usual 10s'}, it may need ${serverLimitMs / 1_000}s`,
      );
    },
    breaks: {
      "the engine's own limit": ({ services }) => {
        delete services.server.stop_grace_period;
      },
      "only as long as the server's own limit": ({ services }) => {
        services.server.stop_grace_period = `${serverLimitMs / 1_000}s`;
      },
      'a form that says nothing': ({ services }) => {
        services.server.stop_grace_period = 'long';
      },
    },
  },
];
