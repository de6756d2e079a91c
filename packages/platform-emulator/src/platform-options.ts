import type { AccountOptions } from './accounts/accounts.ts';
import type { LoginLimitOptions, LogonLimitOptions } from './authentication/login-limit.ts';
import type { RenewalPolicy } from './authentication/tokens.ts';
import type { App } from './catalogue/catalogue.ts';
import type { CdnHostPlan } from './cdn/cdn-host-plan.ts';
import type { Entrance } from './transport/addresses.ts';
import type { Certificates } from './transport/certificates.ts';
import type { MultiForm } from './wire/frame.ts';

export interface PlatformOptions {
  readonly accounts: readonly AccountOptions[];
  /** What can be downloaded; none when absent. */
  readonly apps?: readonly App[];
  /** The same seed gives the same keys, ids and tickets; tokens of one run stay good in the next. Random when absent. */
  readonly seed?: string;
  /** What a platform that is started again takes over from its last run; a new one when absent. */
  readonly continuing?: EarlierRun;
  /** Milliseconds since 1970, before the faults' clock skew. */
  readonly now?: () => number;
  /** Default 9, as the real platform says. */
  readonly heartbeatSeconds?: number;
  /** How often a client should ask whether its login has come through; default 0.1, the real platform says 5. */
  readonly pollIntervalSeconds?: number;
  /** Default `gzip`. */
  readonly multiForm?: MultiForm;
  /** Default `near-expiry`. */
  readonly renewal?: RenewalPolicy;
  readonly loginLimit?: LoginLimitOptions;
  /** On logons of all accounts together; none when absent, as tests log on more often than farms do. */
  readonly logonLimit?: LogonLimitOptions;
  /** The content servers; two good ones when absent. */
  readonly contentHosts?: readonly CdnHostPlan[];
  /** Where clients come in; a free port of loopback when absent. */
  readonly entrance?: Entrance;
  /** Where the certificates of one run are kept for the next; forgotten when absent. */
  readonly certificateDirectory?: string;
}

/** With these, and the same seed, clients of the last run find the platform again and notice nothing but the gap. */
export interface EarlierRun {
  readonly certificates: Certificates;
  readonly proxyPort: number;
  /** At least as many as there have been: no lobby gets the id of one that is gone. */
  readonly lobbies: number;
}
