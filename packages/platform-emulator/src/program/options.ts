import { parseArgs } from 'node:util';
import { OperatorError } from '@steward/service-kit/process/operator-error';
import { type AccountOptions, type Guard, guards } from '../accounts/account.ts';
import { gameAppId } from '../depot/game/build-game.ts';
import { sdkAppId } from '../depot/game/build-sdk.ts';

export interface ProgramOptions {
  readonly help: boolean;
  readonly json: boolean;
  readonly seed: string;
  readonly gameBytes: number;
  readonly accounts: readonly AccountOptions[];
}

const defaultGameMegabytes = 8;
const largestGameMegabytes = 4096;

export const usage = `platform-emulator: the platform on loopback, for tests and demonstrations

Usage: platform-emulator [options]

  --account NAME:PASSWORD[:GUARD]   an account that owns the game; may be repeated (host:host when absent)
                                    GUARD: ${guards.join(', ')}
  --game-mb N                       the size of the game to download, 1 to ${largestGameMegabytes} (${defaultGameMegabytes} when absent)
  --seed TEXT                       the same seed gives the same keys, ids and files; tokens stay good
                                    over a restart (a fixed one when absent)
  --json                            says how to reach it as one line of JSON
  --help                            shows this

Codes of e-mail and device guards are 2FABC. Everything listens on 127.0.0.1, on free ports.
`;

export function readOptions(args: readonly string[]): ProgramOptions {
  const values = parse(args);
  return {
    help: values.help,
    json: values.json,
    seed: values.seed,
    gameBytes: megabytes(values['game-mb']) * 1_000_000,
    accounts: values.account.map(account),
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        account: { type: 'string', multiple: true, default: ['host:host'] },
        'game-mb': { type: 'string', default: String(defaultGameMegabytes) },
        seed: { type: 'string', default: 'platform-emulator' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values;
  } catch (error) {
    throw new OperatorError(`${error instanceof Error ? error.message : error}; --help shows what there is`);
  }
}

function megabytes(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= largestGameMegabytes) return number;
  throw new OperatorError(`--game-mb is "${text}"; it is a whole number from 1 to ${largestGameMegabytes}`);
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
