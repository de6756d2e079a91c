/** How one content server behaves, beside what the fault plan does to single requests. */
export interface CdnHostPlan {
  /** How a test or a plan speaks of this host; clients only see its address. */
  readonly name: string;
  /** Only these apps' depots are here; anything else is 403. The server list says so to clients. */
  readonly allowedAppIds?: readonly number[];
  /** Depots that this host refuses with 403 without having said so in the server list. */
  readonly refusedDepotIds?: readonly number[];
  /** 403 without a valid CDN auth token in the query. */
  readonly demandsToken?: boolean;
  /** Nothing listens: connections are refused. */
  readonly dead?: boolean;
}
