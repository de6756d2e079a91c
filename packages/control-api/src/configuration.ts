import { boolean, port, secret, text } from '@steward/service-kit/configuration/kinds';
import { logVariables } from '@steward/service-kit/configuration/log-variables';
import type { Configuration } from '@steward/service-kit/configuration/variable';

/** Everything that the control API reads from its environment. */
export const variables = {
  API_ENABLED: boolean({ fallback: true, meaning: 'Whether the API listens at all' }),
  API_HOST: text({
    fallback: '0.0.0.0',
    allowed: 'an address of this machine',
    meaning: 'The address that the API listens on',
  }),
  API_PORT: port({ fallback: 8080, meaning: 'The port that the API listens on; 0 takes a free one' }),
  API_KEY: secret({
    allowed: 'any text; `openssl rand -base64 32` makes a good one',
    meaning: 'The key that callers send; without one everybody who reaches the port may do everything',
  }),
  ...logVariables,
};

export type ControlApiConfiguration = Configuration<typeof variables>;
