import { collectDefaultMetrics, Registry } from 'prom-client';

/** Sums that are called as only counters may be. What they are sums of is measured beside them. */
const misnamed = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

let ofThisProcess: Registry | undefined;

/**
 * A registry of one's own that has what the process measures of itself. That is measured once, however many services run in the
 * process: the library never stops its timer nor its observer of garbage collection, and many of them would take much of a core.
 */
export function createProcessMetrics(): Registry {
  ofThisProcess ??= measureProcess();
  return Registry.merge([ofThisProcess]);
}

/** Without those that Prometheus' own check finds wrong. */
function measureProcess(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of misnamed) registry.removeSingleMetric(name);
  return registry;
}
