import { type Environment, readConfiguration, shownValue } from '@steward/service-kit/configuration/read';
import { secretNames, type VariableTable } from '@steward/service-kit/configuration/variable';
import { isLoopback } from '@steward/service-kit/http/addresses';
import { OperatorError } from '@steward/service-kit/process/errors';
import type { MendableTrouble } from '@steward/shared/problems/trouble';
import { type PlatformAuthConfiguration, variables } from '../../../configuration.ts';
import { languageCodes } from '../../../download/filter/languages.ts';
import { failed, ok, warning } from '../check-finding.ts';
import type { Check } from '../examination.ts';

const limitMs = 5_000;
const ownPrefix = 'PLATFORM_';
/** Said to the control API, and often in the same environment. */
const ofOthers = new Set(['PLATFORM_AUTH_URL']);

/** Every variable alone, then what they say together. */
export function configurationCheck(environment: Environment): Check<object, PlatformAuthConfiguration> {
  return {
    name: 'configuration',
    title: 'Configuration',
    limitMs,
    examine() {
      const wrong = wrongVariables(variables, environment);
      if (wrong.length > 0)
        return failed('failure', wrong.join('; '), '`platform-auth --help` describes each variable');
      const configuration = readConfiguration(variables, environment);
      const doubts = [
        ...unknownVariables(variables, environment),
        ...unreadableItems(configuration),
        ...unknownLanguages(configuration),
        ...openPort(configuration),
      ];
      const set = Object.entries(variables).filter(
        ([name, { kind }]) => environment[name] || (kind.secret && environment[`${name}_FILE`]),
      );
      const found = `${set.length} of ${Object.keys(variables).length} variables are set, all correctly`;
      const [first] = doubts;
      if (first === undefined) return ok(found, configuration);
      return warning(
        doubts.map(({ reason }) => reason).join('; '),
        doubts.map(({ remedy }) => remedy).join('; '),
        configuration,
      );
    },
  };
}

/** One line for each bad variable, without the value, and without the path of a file. */
function wrongVariables(table: VariableTable, environment: Environment): string[] {
  return Object.entries(table).flatMap(([name, variable]) => {
    try {
      readConfiguration({ [name]: variable }, environment);
      return [];
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      const value = shownValue(environment[name] ?? '');
      const file = environment[`${name}_FILE`] || 'no file';
      return error.lines.map((line) =>
        line.replace(` is ${value}:`, ' is wrong:').replaceAll(file, 'a file'),
      );
    }
  });
}

/** A slip of the pen in a name is otherwise silent. */
function unknownVariables(table: VariableTable, environment: Environment): MendableTrouble[] {
  const known = new Set([...Object.keys(table), ...secretNames(table)]);
  const unknown = Object.keys(environment).filter(
    (name) => name.startsWith(ownPrefix) && !known.has(name) && !ofOthers.has(name),
  );
  if (unknown.length === 0) return [];
  const remedy = 'Fix the name or remove it; `platform-auth --help` lists the variables';
  return [{ reason: `${unknown.join(', ')} is not a variable of this program`, remedy }];
}

function unreadableItems({ NO_PROXY }: PlatformAuthConfiguration): MendableTrouble[] {
  const { length } = NO_PROXY.unreadable;
  if (length === 0) return [];
  const remedy = 'Write names, addresses, networks such as 10.0.0.0/8 or `*`, separated by commas';
  return [{ reason: `${length} of the entries in NO_PROXY cannot be read, and are ignored`, remedy }];
}

function unknownLanguages({
  PLATFORM_KEEP_LANGUAGES: { unknown },
}: PlatformAuthConfiguration): MendableTrouble[] {
  if (unknown.length === 0) return [];
  const reason = `${unknown.length} of the codes in PLATFORM_KEEP_LANGUAGES are not languages of the game, and are ignored`;
  return [{ reason, remedy: `Use some of ${languageCodes.join(', ')}` }];
}

function openPort({ HOST, PLATFORM_AUTH_SECRET }: PlatformAuthConfiguration): MendableTrouble[] {
  if (PLATFORM_AUTH_SECRET !== undefined || isLoopback(HOST)) return [];
  return [
    {
      reason: 'PLATFORM_AUTH_SECRET is not set: anyone who reaches the port gets app tickets',
      remedy: 'Make one with `openssl rand -base64 32`, or let only the game server reach the port',
    },
  ];
}
