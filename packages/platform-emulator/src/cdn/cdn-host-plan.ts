/** How one content server behaves, beside what the fault plan does to single requests. */
export interface CdnHostPlan {
  /** How a test or a plan speaks of this host; clients only see its address. */
  readonly name: string;
  /** Only these apps' depots are here; anything else is 403. The server list says so to clients. */
  readonly allowedAppIds?: readonly number[];
  /** Depots that this host refuses with 403 without having said so in the server list. */
  readonly refusedDepotIds?: readonly number[];
  /** 403 without a valid CDN auth token in the query; the server list says so, or leaves it to be found out. */
  readonly demandsToken?: boolean | 'unannounced';
  /** What becomes of a client that asks for a token: Fail, or no answer at all. It is given one when absent. */
  readonly tokens?: 'refused' | 'unanswered';
  /** Nothing listens: connections are refused. */
  readonly dead?: boolean;
}

export function demandsToken(plan: CdnHostPlan): boolean {
  return plan.demandsToken === true || plan.demandsToken === 'unannounced';
}
