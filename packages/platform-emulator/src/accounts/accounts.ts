import type { Randomness } from '../randomness.ts';
import type { Account, AccountOptions } from './account.ts';

/** The first individual account id of the public universe, on the desktop: what all personal 64-bit ids count from. */
const firstPersonalId = 76561197960265728n;
// Far from the ids of the first real accounts.
const firstEmulatedAccount = 900_000_001n;

/** Everyone who can log in, by name and by id. */
export class Accounts {
  readonly #byName = new Map<string, Account>();
  readonly #byId = new Map<string, Account>();

  constructor(accounts: readonly AccountOptions[], randomness: Randomness) {
    for (const [index, options] of accounts.entries()) {
      const account: Account = {
        steamId: String(firstPersonalId + firstEmulatedAccount + BigInt(index)),
        guards: ['none'],
        guardCode: '2FABC',
        emailDomain: 'example.com',
        owns: [],
        ...options,
        deviceSecret: randomness.key(`device secret of ${options.name}`, 20),
      };
      this.#add(account);
    }
  }

  find(name: string | undefined): Account | undefined {
    return name === undefined ? undefined : this.#byName.get(name.toLowerCase());
  }

  withId(steamId: string | undefined): Account | undefined {
    return steamId === undefined ? undefined : this.#byId.get(steamId);
  }

  /** As find, for callers who name an account that must exist. */
  get(name: string): Account {
    const account = this.find(name);
    if (account !== undefined) return account;
    throw new Error(`the platform has no account "${name}"; it has ${[...this.#byName.keys()].join(', ')}`);
  }

  get all(): readonly Account[] {
    return [...this.#byName.values()];
  }

  #add(account: Account): void {
    const name = account.name.toLowerCase();
    if (this.#byName.has(name)) throw new Error(`two accounts are named "${account.name}"`);
    if (this.#byId.has(account.steamId)) throw new Error(`two accounts have the id ${account.steamId}`);
    this.#byName.set(name, account);
    this.#byId.set(account.steamId, account);
  }
}
