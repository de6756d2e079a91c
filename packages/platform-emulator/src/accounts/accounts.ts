import type { Randomness } from '../randomness.ts';

/** How an account guards its password logins; several may be offered at once. */
export const guards = [
  'none',
  'email-code',
  'device-code',
  'device-confirmation',
  'email-confirmation',
  'legacy-machine',
] as const;

export type Guard = (typeof guards)[number];

export interface AccountOptions {
  readonly name: string;
  readonly password: string;
  /** Decimal 64-bit id; given in order of appearance when absent. */
  readonly steamId?: string;
  /** Absent means none. */
  readonly guards?: readonly Guard[];
  /** The one code that is right, whether it comes by e-mail or from the device. */
  readonly guardCode?: string;
  readonly emailDomain?: string;
  /** App ids that the account holds licences for. */
  readonly owns?: readonly number[];
  /** An EResult that refuses every logon: 17 banned, 43 disabled, 51 suspended, 73 locked down. */
  readonly refusal?: number;
}

export interface Account extends Required<Omit<AccountOptions, 'refusal'>> {
  /** Licences and standing change while the platform runs. */
  owns: readonly number[];
  refusal?: number;
  /** The secret that signs confirmations on the account's device. */
  readonly deviceSecret: Buffer;
}

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

/** Everyone holds package 0: what is free for all. */
const freePackage = 0;
/** The emulator sells each app in one package of its own. */
const firstPackage = 1_000_000;

export function packageOf(appId: number): number {
  return firstPackage + appId;
}

export function appOf(packageId: number): number | undefined {
  return packageId > firstPackage ? packageId - firstPackage : undefined;
}

export function packagesOf(account: Account): number[] {
  return [freePackage, ...account.owns.map(packageOf)];
}
