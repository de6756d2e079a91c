import type { Logger } from '@steward/service-kit/log/logger';
import { codeInBrackets, OperatorError } from '@steward/service-kit/process/errors';
import { troubleText } from '@steward/shared/problems/trouble';
import type { Failure } from '../platform/failure.ts';
import type { SessionModel } from './session-machine.ts';
import { sessionWords } from './session-words.ts';

/** What the operator reads of the session: in the log when it happens, and in /health for as long as it matters. */
export class SessionLog {
  readonly #logger: Logger;
  readonly #warnings = new Map<string, string>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  get warnings(): readonly string[] {
    return [...this.#warnings.values()];
  }

  readonly changed = (model: SessionModel): void => {
    const { state, ...trouble } = sessionWords(model);
    const isFine = state === 'logging-in' || state === 'logged-in';
    const retry =
      model.state.name === 'waiting'
        ? { retryInMs: Math.round(model.state.untilMs - model.sinceMs) }
        : undefined;
    this.#logger[isFine ? 'info' : 'warn']({ state, ...retry }, troubleText(trouble));
  };

  readonly fileProblem = (problem: string): void => this.#warn(problem, problem);

  readonly takenOver = (username: string): void => {
    this.#logger.info(`The session of ${username} was taken over from the existing sidecar`);
  };

  readonly notSaved = (error: unknown): void => {
    const why = error instanceof OperatorError ? ` (${error.message})` : codeInBrackets(error);
    this.#warn(
      'not-saved',
      `A session could not be saved in SESSION_DIR${why}: mend that, or a restart will need a new login`,
    );
  };

  readonly putOff = (error: unknown): void => {
    this.#warn(
      'not-saved',
      `The saved session is due for renewal, but SESSION_DIR cannot be written${codeInBrackets(error)}: mend that; it is tried again every day`,
    );
  };

  readonly renewed = (days: number): void => {
    this.#warnings.delete('not-saved');
    this.#logger.info(`The saved session was renewed; it is good for ${days} days`);
  };

  readonly notRenewed = ({ reason }: Failure): void => {
    this.#logger.warn(`The saved session could not be renewed today: ${reason}`);
  };

  readonly nearItsEnd = (days: number, isOurs: boolean): void => {
    const remedy = isOurs
      ? 'run `platform-auth login` before that'
      : 'put a new token into PLATFORM_REFRESH_TOKEN before that';
    this.#warn('near-its-end', `The refresh token expires in ${days} days: ${remedy}`);
  };

  readonly farFromItsEnd = (): void => {
    this.#warnings.delete('near-its-end');
  };

  leak(frames: readonly string[]): void {
    this.#logger.error({ frames }, 'an error escaped a platform library; the session starts again');
  }

  #warn(subject: string, text: string): void {
    this.#warnings.set(subject, text);
    this.#logger.warn(text);
  }
}
