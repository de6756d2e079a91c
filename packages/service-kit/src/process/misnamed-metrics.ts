/** Sums that are called as only counters may be. What they are sums of is measured beside them. */
const misnamed = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

/** Takes away what Prometheus' own check finds wrong with the library's default metrics. */
export function removeMisnamed(registry: { removeSingleMetric(name: string): void }): void {
  for (const name of misnamed) registry.removeSingleMetric(name);
}
