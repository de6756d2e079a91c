import type { Account } from '../accounts/account.ts';
import type { CmSession } from './cm-connection.ts';

/** Who is logged on now. */
export class CmSessions {
  readonly #online = new Set<CmSession>();
  readonly #endings: ((session: CmSession) => void)[] = [];

  get all(): readonly CmSession[] {
    return [...this.#online];
  }

  of(account: Account): readonly CmSession[] {
    return this.all.filter((session) => session.account === account);
  }

  begin(session: CmSession): void {
    this.#online.add(session);
  }

  end(session: CmSession): void {
    if (!this.#online.delete(session)) return;
    for (const listener of this.#endings) listener(session);
  }

  /** Called once for each session, however it ended. */
  onEnd(listener: (session: CmSession) => void): void {
    this.#endings.push(listener);
  }
}
