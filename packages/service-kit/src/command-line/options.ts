import { type ParseArgsConfig, parseArgs } from 'node:util';
import { UsageError } from '../process/errors.ts';

/** Reads a command line; what it does not know is an error of one line, which says where to look. */
export function readCommandLine<const Config extends ParseArgsConfig>(
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new UsageError(`${problem(error)}; see --help`);
  }
}

/** Node goes on about arguments that begin with a dash; what is wrong stands first. */
function problem(error: unknown): string {
  const [first = ''] = (error instanceof Error ? error.message : String(error)).split(/\.\s|\.$|\n/, 1);
  return first;
}
