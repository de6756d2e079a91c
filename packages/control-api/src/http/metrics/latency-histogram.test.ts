import fc from 'fast-check';
import { Histogram, Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { LatencyHistogram } from './latency-histogram.ts';

const name = 'test_duration_seconds';
const help = 'How long a test takes';

const answers = fc.array(
  fc.record({
    method: fc.constantFrom('GET', 'POST'),
    route: fc.constantFrom('/status', '/players/:id', '/with"quotes"'),
    status: fc.constantFrom(200, 304, 503),
    seconds: fc.oneof(
      fc.double({ min: 0, max: 100, noNaN: true }),
      fc.constantFrom(0, 0.0005, 0.0025, 1, 60, 60.001),
    ),
  }),
);

it('tells Prometheus the same, to the byte, as the histogram of the library', async () => {
  await fc.assert(
    fc.asyncProperty(answers, async (told) => {
      const ours = new Registry();
      const latencies = new LatencyHistogram(name, help, ours);
      const theirs = new Registry();
      const histogram = new Histogram({
        name,
        help,
        labelNames: ['method', 'route', 'status'],
        buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 15, 60],
        registers: [theirs],
      });
      for (const { method, route, status, seconds } of told) {
        latencies.of(method, route, status).observe(seconds);
        histogram.observe({ method, route, status: String(status) }, seconds);
      }
      expect(await ours.metrics()).toBe(await theirs.metrics());
    }),
  );
});

it('says nothing of answers that nobody was given', async () => {
  const registry = new Registry();
  const latencies = new LatencyHistogram(name, help, registry);
  latencies.of('GET', '/status', 304);
  latencies.of('GET', '/status', 200).observe(0.001);
  expect(await registry.metrics()).not.toContain('304');
});
