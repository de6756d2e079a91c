import type { Logger } from '@steward/service-kit/log/logger';
import { codeInBrackets, OperatorError } from '@steward/service-kit/process/errors';
import { counted } from '@steward/service-kit/text/amounts';
import { troubleText } from '@steward/shared/problems/trouble';
import type { Contention } from '@steward/shared/sidecar/health';
import { timestampOf } from '@steward/shared/wire-values';
import type { Failure } from '../platform/failure.ts';
import { foreignToken } from './configured-account.ts';
import type { SessionModel } from './session-machine.ts';
import { sessionWords } from './session-words.ts';

/** What the operator reads of the session: in the log when it happens, and in /health for as long as it matters. */
export class SessionLog {
  readonly #logger: Logger;
  readonly #warnings = new Map<string, string>();
  /** It has the id of a lobby, and every lobby that is opened from then on is another one. */
  #modHasLobby = false;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  get warnings(): readonly string[] {
    return [...this.#warnings.values()];
  }

  readonly changed = (model: SessionModel): void => {
    const { state, ...trouble } = sessionWords(model);
    const isFine = state === 'paced' || state === 'logging-in' || state === 'logged-in';
    const retry =
      model.state.name === 'waiting' || model.state.name === 'paced'
        ? { retryInMs: Math.round(model.state.untilMs - model.sinceMs) }
        : undefined;
    this.#logger[isFine ? 'info' : 'warn']({ state, ...retry }, troubleText(trouble));
  };

  readonly contended = (contention: Contention | undefined): void => {
    if (contention !== undefined) this.#logger.warn(troubleText(contention));
    else this.#logger.info('No other program uses the platform account of this farm now');
  };

  readonly fileProblem = (problem: string): void => this.#warn(problem, problem);

  readonly fileMended = (problem: string): void => {
    this.#warnings.delete(problem);
  };

  /** Asked at each login and told once. */
  readonly foreign = (): void => {
    if (!this.#warnings.has('foreign')) this.#warn('foreign', troubleText(foreignToken));
  };

  readonly notForeign = (): void => {
    if (this.#warnings.delete('foreign'))
      this.#logger.info(
        'PLATFORM_REFRESH_TOKEN no longer counts as from another account than PLATFORM_USERNAME',
      );
  };

  readonly takenOver = (username: string): void => {
    this.#logger.info(`The session of ${username} was imported from the existing sidecar`);
  };

  /** It is tried again every few seconds, and told once for each reason. */
  readonly notSaved = (error: unknown): void => {
    const text = `A session could not be saved in SESSION_DIR${whyNot(error)}: fix that, or a restart will need a new login`;
    if (this.#warnings.get('not-saved') !== text) this.#warn('not-saved', text);
  };

  readonly saved = (): void => {
    this.#warnings.delete('not-saved');
  };

  /** The id is all that the platform says of an account: whether PLATFORM_USERNAME is its name, people alone can tell. */
  readonly takenUp = (platformId: string): void => {
    this.#logger.info(
      `PLATFORM_REFRESH_TOKEN belongs to the account ${platformId}. It is now saved in SESSION_DIR, and is renewed there`,
    );
  };

  readonly notKept = (error: unknown, ends: Date): void => {
    this.#warn(
      'not-kept',
      `PLATFORM_REFRESH_TOKEN cannot be saved in SESSION_DIR${whyNot(error)}: it is not renewed, and ends on ${timestampOf(ends).slice(0, 10)}. Let this service write there`,
    );
  };

  /** Nothing depends on that token any more: it is saved, or another one is. */
  readonly kept = (): void => {
    this.#warnings.delete('not-kept');
  };

  readonly putOff = (error: unknown): void => {
    this.#warn(
      'put-off',
      `The saved session is due for renewal, but its file in SESSION_DIR cannot be replaced${whyNot(error)}: fix that; the sidecar retries every day`,
    );
  };

  readonly notPutOff = (): void => {
    this.#warnings.delete('put-off');
  };

  readonly renewed = (days: number): void => {
    this.saved();
    this.#logger.info(`The saved session was renewed; it is good for ${days} days`);
  };

  readonly tokenSuperseded = (): void => {
    this.saved();
    this.#logger.info('A new login was found in SESSION_DIR: its token is used from now on');
  };

  readonly notRenewed = ({ reason }: Failure): void => {
    this.#logger.warn(`The saved session could not be renewed today: ${reason}`);
  };

  readonly nearItsEnd = (days: number, isOurs: boolean): void => {
    const remedy = isOurs ? 'run `platform-auth login`' : 'put a new token into PLATFORM_REFRESH_TOKEN';
    // Whole days, rounded down: -1 is within the first day after.
    const text =
      days < 0
        ? `expired ${counted(-days, 'day')} ago: ${remedy}`
        : `expires in ${counted(days, 'day')}: ${remedy} before that`;
    this.#warn('near-its-end', `The refresh token ${text}`);
  };

  readonly farFromItsEnd = (): void => {
    this.#warnings.delete('near-its-end');
  };

  /** Our control API sees a new lobby within seconds; the existing server's mod does not look. */
  readonly lobbyOpened = (): void => {
    if (this.#modHasLobby && !this.#warnings.has('old-lobby'))
      this.#warn(
        'old-lobby',
        'The lobby was lost and opened again. The existing server still has the old one until it next changes something, and until then nobody can join with its S code: restart its container right after a new day has begun, while nobody plays',
      );
  };

  /** It is the one that is open, since the mod has just asked for it. */
  readonly lobbyGivenToMod = (): void => {
    this.#modHasLobby = true;
    if (this.#warnings.delete('old-lobby'))
      this.#logger.info('The existing server has the lobby that is open now');
  };

  leak(frames: readonly string[]): void {
    this.#logger.error(
      { frames },
      'an error escaped a platform library; a session that was there starts again',
    );
  }

  #warn(subject: string, text: string): void {
    this.#warnings.set(subject, text);
    this.#logger.warn(text);
  }
}

function whyNot(error: unknown): string {
  return error instanceof OperatorError ? ` (${error.message})` : codeInBrackets(error);
}
