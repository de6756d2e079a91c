import { port, text } from '@steward/service-kit/configuration/kinds';
import { logVariables } from '@steward/service-kit/configuration/log-variables';
import type { Configuration } from '@steward/service-kit/configuration/variable';

/** Everything that platform-auth reads from its environment. */
export const variables = {
  HOST: text({
    fallback: '0.0.0.0',
    allowed: 'an address of this machine',
    meaning: 'The address that the HTTP server listens on',
  }),
  PORT: port({ fallback: 3001, meaning: 'The port that the HTTP server listens on; 0 takes a free one' }),
  ...logVariables,
};

export type PlatformAuthConfiguration = Configuration<typeof variables>;
