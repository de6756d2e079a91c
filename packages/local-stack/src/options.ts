import { parseArgs } from 'node:util';
import { OperatorError } from '@steward/service-kit/process/operator-error';

export interface Options {
  readonly fresh: boolean;
  readonly help: boolean;
}

export const usage = `npm start: the whole system on this machine, without an account

Usage: npm start [-- --fresh]

  --fresh   forgets what earlier starts have kept in .steward
  --help    shows this

Variables of the services are passed on, API_KEY and LOG_LEVEL for example.
API_PORT and PORT are used as they are set; unset, the next free port from 8080 and 3001 on is taken.
`;

export function readOptions(args: readonly string[]): Options {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        fresh: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    return values;
  } catch (error) {
    throw new OperatorError(`${error instanceof Error ? error.message : error}; --help shows what there is`);
  }
}
