import { OperatorError } from '@steward/service-kit/process/errors';
import { troubleText } from '@steward/shared/problems/trouble';
import { type Failure, failureOf, PlatformFailure } from '../../platform/failure.ts';
import { webApi } from '../../platform/platform-constants.ts';
import { chooseProxies, type ProxySettings, proxyVariable } from '../../platform/proxy.ts';
import { stopTheOther, waitingRemedies } from '../../session/session-words.ts';
import { NoTicket, notOwned } from '../../tickets/app-tickets.ts';
import { type ExitCodeName, exitCodes } from './exit-codes.ts';

/** Why a command did not do what it was asked to, and how the process ends. */
export class CommandFailure extends OperatorError {
  override readonly exitCode: number;

  constructor(how: ExitCodeName, ...lines: readonly string[]) {
    super(...lines);
    this.name = 'CommandFailure';
    this.exitCode = exitCodes[how].code;
  }
}

/**
 * Whatever a command's work met, as what the process ends with; undefined for what nobody foresaw. `ofNetwork`: what mends the way
 * to the platform.
 */
export function commandFailure(error: unknown, ofNetwork: string): OperatorError | undefined {
  if (error instanceof OperatorError) return error;
  if (error instanceof NoTicket)
    return error.isNotOwned
      ? new CommandFailure('not-owned', troubleText(notOwned))
      : platformFailure(error.failure, ofNetwork);
  return error instanceof PlatformFailure ? platformFailure(failureOf(error), ofNetwork) : undefined;
}

const doctorSays = '`platform-auth doctor` shows where the connection fails';

/** The same words as the service's; only that nothing here tries again by itself. */
function platformFailure(failure: Failure, ofNetwork: string): CommandFailure {
  const { reason, remedy } = failure;
  const fixes = remedy ?? remedyFor(failure, ofNetwork);
  const further = failure.noAnswer ? `. ${doctorSays}` : '';
  return new CommandFailure(howItEnds(failure), `${reason}. ${fixes}${further}`);
}

export function remedyFor({ class: failureClass, noAnswer }: Failure, ofNetwork: string): string {
  if (failureClass === 'transient') return noAnswer ? ofNetwork : 'Try again in a few minutes';
  if (failureClass === 'replaced') return stopTheOther('run it again');
  if (failureClass === 'dead-credential') return exitCodes['login-refused'].remedy;
  return waitingRemedies[failureClass];
}

export function howItEnds(failure: Failure): ExitCodeName {
  switch (failure.class) {
    case 'transient':
      return 'network';
    case 'rate-limited':
      return 'rate-limited';
    case 'replaced':
      return 'login-refused';
    case 'dead-credential':
      return failure.wantsTerminal ? 'two-factor' : 'login-refused';
  }
}

/**
 * What mends a missing session, as an operator types it. Not `setup`, which needs to write to GAME_DIR, and updates the game's
 * files under a farm that plays.
 */
export const howToLogIn =
  'Run this in a terminal: docker compose run --rm platform-auth login (without Docker: the same program with `login`)';

/** What somebody does who does not get to the platform: that depends on whether a proxy leads there. */
export function networkRemedy(settings: ProxySettings): string {
  const name = chooseProxies(settings)(webApi) === undefined ? undefined : proxyVariable(settings);
  const withProxy =
    name === undefined ? '; behind a proxy, set PLATFORM_PROXY' : `, or fix the proxy of ${name}`;
  return `Try again later${withProxy}`;
}
