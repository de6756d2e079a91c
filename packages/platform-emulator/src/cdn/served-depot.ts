import type { Depot } from '../depot/depot.ts';

/** A depot version together with the app it belongs to; several versions of one depot may be served at once. */
export interface ServedDepot {
  readonly appId: number;
  readonly depot: Depot;
}
