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
