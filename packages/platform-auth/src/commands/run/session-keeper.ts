import type { Clock, Timer } from '@steward/service-kit/clock';
import { OperatorError } from '@steward/service-kit/process/errors';
import { stableSessionMs, waitMs } from '../../platform/backoff.ts';
import { type Failure, failureOf, PlatformFailure } from '../../platform/failure.ts';
import type { PlatformSession } from '../../platform/platform-session.ts';
import type { Login } from '../../session/login.ts';

export interface SessionKeeperParts {
  readonly logIn: () => Promise<Pick<Login, 'session'>>;
  readonly clock: Clock;
  readonly random: () => number;
}

/** A command's session, which comes back when it is lost: a download may outlive several. */
export class SessionKeeper {
  readonly #parts: SessionKeeperParts;
  #session: PlatformSession | undefined;
  /** Why there will be no session any more. */
  #refused: OperatorError | PlatformFailure | undefined;
  #next: Timer | undefined;
  #closed = false;

  constructor({ session }: Pick<Login, 'session'>, parts: SessionKeeperParts) {
    this.#parts = parts;
    this.#keep(session, 0);
  }

  /** Undefined while there is none; throws where none will come back. */
  get session(): PlatformSession | undefined {
    if (this.#refused !== undefined) throw this.#refused;
    return this.#session;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#next?.cancel();
    await this.#session?.close();
  }

  /** `logins`: how many came before it since a session was stable. */
  #keep(session: PlatformSession, logins: number): void {
    const { clock } = this.#parts;
    const sinceMs = clock.now();
    this.#session = session;
    void session.ended.then((failure) => {
      this.#session = undefined;
      const wasStable = clock.now() - sinceMs >= stableSessionMs;
      this.#again(failure, wasStable ? 0 : logins);
    });
  }

  /** Only what passes within seconds is worth waiting for: whoever runs a command can run it again. */
  #again(failure: Failure, logins: number): void {
    const { clock, random } = this.#parts;
    if (failure.class !== 'transient') this.#refused = new PlatformFailure(failure);
    else if (logins === 0) void this.#logIn(logins);
    else if (!this.#closed)
      this.#next = clock.after(waitMs(failure.class, logins, random()), () => void this.#logIn(logins));
  }

  async #logIn(before: number): Promise<void> {
    if (this.#closed) return;
    const logins = before + 1;
    try {
      const { session } = await this.#parts.logIn();
      if (this.#closed) await session.close();
      else this.#keep(session, logins);
    } catch (error) {
      // Nothing is left to log in with, or the settings want mending.
      if (error instanceof OperatorError) this.#refused = error;
      else this.#again(failureOf(error), logins);
    }
  }
}
