import { readCommandLine } from '@steward/service-kit/command-line/options';
import { OperatorError } from '@steward/service-kit/process/errors';
import { type AccountOptions, type Guard, guards } from '../accounts/accounts.ts';
import { gameAppId, sdkAppId } from '../depot/game/build-game.ts';
import { type Entrance, loopbackEntrance } from '../transport/addresses.ts';

export interface ProgramOptions {
  readonly help: boolean;
  readonly json: boolean;
  readonly seed: string;
  readonly gameBytes: number;
  readonly accounts: readonly AccountOptions[];
  readonly entrance: Entrance;
  readonly keep: string | undefined;
  readonly clients: string | undefined;
  readonly check: boolean;
}

const defaultGameMegabytes = 8;
const largestGameMegabytes = 4096;
const largestPort = 65_535;

export const usage = `platform-emulator: the platform on loopback, for tests and demonstrations

Usage: platform-emulator [options]

  --account NAME:PASSWORD[:GUARD]   an account that owns the game; may be repeated (host:host when absent)
                                    GUARD: ${guards.join(', ')}
  --game-mb N                       the size of the game to download, 1 to ${largestGameMegabytes} (${defaultGameMegabytes} when absent)
  --seed TEXT                       the same seed gives the same keys, ids and files; tokens stay good
                                    over a restart (a fixed one when absent)
  --host ADDRESS                    the address that it listens on (${loopbackEntrance.host} when absent)
  --port N                          the port of its proxy (a free one when absent)
  --name NAME                       what clients call this machine (the address when absent)
  --clients DIRECTORY               puts what clients need there: ca.pem and ticket-key
  --keep DIRECTORY                  keeps its certificate there, so that clients of this run trust the next
  --check                           asks the emulator on --port whether it is well, and ends
  --json                            says how to reach it as one line of JSON
  --help                            shows this

Codes of e-mail and device guards are 2FABC. Whoever reaches it may do everything: leave it on loopback, or in a network
of containers that nothing else is in.
`;

export function readOptions(args: readonly string[]): ProgramOptions {
  const values = parse(args);
  return {
    help: values.help,
    json: values.json,
    seed: values.seed,
    gameBytes: megabytes(values['game-mb']) * 1_000_000,
    accounts: values.account.map(account),
    entrance: { host: values.host, port: port(values.port), name: values.name ?? values.host },
    keep: values.keep,
    clients: values.clients,
    check: values.check,
  };
}

function parse(args: readonly string[]) {
  return readCommandLine({
    args: [...args],
    options: {
      account: { type: 'string', multiple: true, default: ['host:host'] },
      'game-mb': { type: 'string', default: String(defaultGameMegabytes) },
      seed: { type: 'string', default: 'platform-emulator' },
      host: { type: 'string', default: loopbackEntrance.host },
      port: { type: 'string', default: String(loopbackEntrance.port) },
      name: { type: 'string' },
      clients: { type: 'string' },
      keep: { type: 'string' },
      check: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  }).values;
}

function megabytes(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= largestGameMegabytes) return number;
  throw new OperatorError(`--game-mb is "${text}"; it is a whole number from 1 to ${largestGameMegabytes}`);
}

function port(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 0 && number <= largestPort) return number;
  throw new OperatorError(`--port is "${text}"; it is a whole number from 0 to ${largestPort}`);
}

function account(text: string): AccountOptions {
  const [name = '', password = '', guard = 'none', ...rest] = text.split(':');
  if (name === '' || password === '' || rest.length > 0) {
    throw new OperatorError(`--account is "${text}"; it is NAME:PASSWORD or NAME:PASSWORD:GUARD`);
  }
  if (!isGuard(guard))
    throw new OperatorError(`the guard of "${name}" is "${guard}"; it is ${guards.join(', ')}`);
  return { name, password, guards: [guard], owns: [gameAppId, sdkAppId] };
}

function isGuard(text: string): text is Guard {
  return guards.some((guard) => guard === text);
}
