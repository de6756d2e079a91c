import type { PlatformSession } from '../platform/platform-session.ts';
import type { Login } from '../session/login.ts';

/** A command's session, which comes back when it is lost: a download may outlive several. */
export class SessionKeeper {
  readonly #logIn: () => Promise<Login>;
  #session: PlatformSession | undefined;
  #closed = false;

  constructor(login: Login, logIn: () => Promise<Login>) {
    this.#logIn = logIn;
    this.#keep(login.session);
  }

  /** Undefined while there is none. */
  get session(): PlatformSession | undefined {
    return this.#session;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#session?.close();
  }

  #keep(session: PlatformSession): void {
    this.#session = session;
    void session.ended.then(() => this.#lost());
  }

  async #lost(): Promise<void> {
    this.#session = undefined;
    if (this.#closed) return;
    try {
      const { session } = await this.#logIn();
      if (this.#closed) await session.close();
      else this.#keep(session);
    } catch {
      // Whoever needs the session says that there is none.
    }
  }
}
