import { type Clock, systemClock } from '@steward/service-kit/clock';
import { readConfiguration } from '@steward/service-kit/configuration/read';
import type { Secret } from '@steward/service-kit/secret';
import { wordWrap } from '@steward/service-kit/text/layout';
import { forTerminal } from '@steward/service-kit/text/terminal';
import {
  type PlatformAuthConfiguration,
  secretsOf,
  variables,
  withLowerCaseProxies,
} from '../../configuration.ts';
import { composePlatform, type SteamPlatform } from '../../platform/steam-platform.ts';
import { scrubber } from '../../tokens/log-scrubbing.ts';
import type { ProblemKind } from '../../tokens/session-files.ts';
import { SessionStore } from '../../tokens/session-store.ts';
import { CommandFailure, commandFailure, networkRemedy } from './command-failure.ts';
import { exitCodes } from './exit-codes.ts';
import { Interruption } from './interruption.ts';
import { sizeOf } from './screen.ts';

/** What a command works with. */
export interface CommandContext {
  readonly configuration: PlatformAuthConfiguration;
  readonly platform: SteamPlatform;
  readonly store: SessionStore;
  readonly clock: Clock;
  readonly interruption: Interruption;
  /** How a command ends that found nothing to log in with: what the disk did not show may well be there. */
  readonly nothingFound: () => 'disk' | 'no-credentials';
  /** Writes a line for people to stderr: stdout belongs to the values that some commands print. */
  readonly say: (text: string) => void;
  /** What is done before it is said why the command failed. */
  readonly beforeFailure: (tidy: () => void) => void;
  /** Keeps a secret that came up on the way out of everything that is written. */
  readonly conceal: (secret: Secret) => void;
}

/**
 * Runs a command that ends by itself, and answers how it ended. `name` decides its logon id; what there is to remark about SESSION_DIR is
 * said at once, or where nothing may be said beside a success, before it is said why it failed.
 */
export async function runCommand(
  name: string,
  work: (context: CommandContext) => Promise<void>,
  remarks: 'at-once' | 'where-it-fails' = 'at-once',
): Promise<number> {
  const configuration = readConfiguration(variables, withLowerCaseProxies(process.env));
  const secrets = [...secretsOf(configuration)];
  const say = (text: string): void => {
    const line = `platform-auth: ${forTerminal(scrubber(secrets)(text))}`;
    const { stderr } = process;
    stderr.write(`${stderr.isTTY ? wordWrap(line, sizeOf(stderr).columns).join('\n') : line}\n`);
  };
  const interruption = new Interruption();
  interruption.listen();
  let isReadable = true;
  const remarked: string[] = [];
  const report = (problem: string, kind: ProblemKind): void => {
    if (kind === 'hides') isReadable = false;
    if (remarks === 'at-once') say(problem);
    else remarked.push(problem);
  };
  const store = new SessionStore({ directory: configuration.SESSION_DIR, clock: systemClock, report });
  const platform = composePlatform(name, configuration);
  let tidyUp = (): void => {};
  const conceal = (secret: Secret): number => secrets.push(secret);
  try {
    const nothingFound = () => (isReadable ? 'no-credentials' : 'disk');
    const beforeFailure = (tidy: () => void): void => {
      tidyUp = tidy;
    };
    const rest = { beforeFailure, clock: systemClock, interruption, nothingFound, say, conceal } as const;
    await interruption.orEnd(work({ configuration, platform, store, ...rest }));
    return exitCodes.ok.code;
  } catch (error) {
    const failure =
      commandFailure(error, networkRemedy(configuration)) ?? new CommandFailure('failure', textOf(error));
    tidyUp();
    for (const line of [...remarked, ...failure.lines]) say(line);
    return failure.exitCode;
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
