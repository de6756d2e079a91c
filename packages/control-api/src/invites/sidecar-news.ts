import type { StewardEvent } from '@steward/shared/events/event-data';
import type { Trouble } from '@steward/shared/problems/trouble';
import type { DownloadAnswer } from '@steward/shared/sidecar/download';
import type { SessionStateName, SessionStatus } from '@steward/shared/sidecar/health';

type Files = Pick<DownloadAnswer, 'state' | 'reason' | 'remedy' | 'update'>;

/**
 * Tells what has changed at the sidecar, of all that each look hears. What is well when it is first heard of was so before; that
 * the sidecar does not answer is told by its step to the invite codes.
 */
export class SidecarNews {
  readonly #tell: (event: StewardEvent) => void;
  #session: SessionStateName | undefined;
  #isContended = false;
  #files: DownloadAnswer['state'] | undefined;
  /** Whether the platform has another build, as far as that is known. */
  #isOutdated = false;

  constructor(tell: (event: StewardEvent) => void) {
    this.#tell = tell;
  }

  session(status: Pick<SessionStatus, 'state' | 'reason' | 'remedy'>, contended?: Trouble): void {
    const { state } = status;
    const isOtherwise = this.#isContended !== (contended !== undefined);
    this.#isContended = contended !== undefined;
    const before = this.#session;
    const isWell = state === 'logged-in' || state === 'logging-in' || state === 'paced';
    // Each further try after a failure passes through it.
    const isAnotherTry = state === 'logging-in' && before !== undefined && before !== 'logged-in';
    if (!isOtherwise && (state === before || isAnotherTry)) return;
    this.#session = state;
    if (before === undefined && isWell && !isOtherwise) return;
    // Another program with the same account leaves the session as it is, perhaps.
    const { reason, remedy } = isWell && contended !== undefined ? contended : status;
    const data = { state, reason, ...(remedy === undefined ? {} : { remedy }) };
    this.#tell({ type: 'sidecar.session', data });
  }

  files({ state, reason, remedy, update }: Files): void {
    const [before, wasOutdated] = [this.#files, this.#isOutdated];
    this.#files = state;
    if (state !== 'whole') this.#isOutdated = false;
    // That the platform cannot be asked is no news of the game.
    else if (update !== undefined && update.state !== 'unknown')
      this.#isOutdated = update.state === 'available';
    const isNews = before === undefined ? state !== 'whole' : state !== before;
    if (!isNews && (wasOutdated || !this.#isOutdated)) return;
    const why = this.#isOutdated ? update : { reason, remedy };
    const data = {
      state,
      ...(this.#isOutdated ? { isOutdated: true as const } : {}),
      ...(why?.reason === undefined ? {} : { reason: why.reason }),
      ...(why?.remedy === undefined ? {} : { remedy: why.remedy }),
    };
    this.#tell({ type: 'sidecar.download', data });
  }
}
