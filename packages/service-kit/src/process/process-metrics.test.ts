import { Gauge } from 'prom-client';
import { expect, it } from 'vitest';
import { createProcessMetrics } from './process-metrics.ts';

const named = 'nodejs_eventloop_lag_seconds';

it('is measured once in a process, and told by each service in it beside its own', async () => {
  const one = createProcessMetrics();
  const other = createProcessMetrics();
  expect(one.getSingleMetric(named)).toBe(other.getSingleMetric(named));
  new Gauge({ name: 'steward_one', help: 'Only of one', registers: [one] });
  expect(await one.metrics()).toContain(named);
  expect(await one.metrics()).toContain('steward_one');
  expect(await other.metrics()).toContain(named);
  expect(await other.metrics()).not.toContain('steward_one');
});

it('calls no sum as only counters may be', async () => {
  expect(await createProcessMetrics().metrics()).not.toMatch(/^nodejs_active_\w+_total/m);
});
