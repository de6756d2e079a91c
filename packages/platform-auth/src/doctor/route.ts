import type { Agent } from 'node:https';
import type { ProxyFor } from '../platform/proxy-for.ts';

/** How the platform's hosts are reached. */
export interface Route {
  readonly proxyFor: ProxyFor;
  readonly agent: Agent;
}
