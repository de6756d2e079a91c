import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readCommandLine } from '@steward/service-kit/command-line/options';

export interface Options {
  readonly fresh: boolean;
  readonly help: boolean;
  /** Whether a key is made, where API_KEY is not set. */
  readonly key: boolean;
  /** What is kept between runs. */
  readonly state: string;
}

/** In the checkout, where git does not look, and `npm run farm` does. */
export const defaultState = fileURLToPath(new URL('../../../.steward', import.meta.url));

export const usage = `npm start: the whole system on this machine, without an account

Usage: npm start [-- --fresh] [--key]

  --fresh        forgets what earlier starts have kept
  --key          asks for a key, which is made now and shown once; API_KEY sets one of your own
  --state DIR    keeps it there instead of in .steward
  --help         shows this

Variables of the services and of the simulated farm are passed on, API_KEY, LOG_LEVEL and FARM_PACE for example.
API_PORT, DASHBOARD_PORT and PORT are used as they are set; unset, the next free port from 8080, 8090 and 3001 on is taken.
`;

export function readOptions(args: readonly string[]): Options {
  const { values } = readCommandLine({
    args: [...args],
    options: {
      fresh: { type: 'boolean', default: false },
      state: { type: 'string', default: defaultState },
      key: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  return { ...values, state: resolve(values.state) };
}
