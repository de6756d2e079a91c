import type { HttpServer } from '@steward/service-kit/http/http-server';
import { Histogram, type Registry } from 'prom-client';

/** Seconds. Most answers are bytes that lie ready; commands wait for a game for up to a minute. */
const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 15, 60];

const labelNames = ['method', 'route', 'status'] as const;

/** What requests that no route takes are counted under: their paths would be labels without end. */
const noRoute = 'none';

/** What counts the answers of one kind, by how long each took. */
export interface LatencySeries {
  observe(seconds: number): void;
}

export type LatencySeriesOf = (method: string, route: string, status: number) => LatencySeries;

/** Latency by route, for every route that is added after it; returns what counts those that no hook sees. */
export function measureRequests(server: HttpServer, registry: Registry): LatencySeriesOf {
  const histogram = new Histogram({
    name: 'steward_http_request_duration_seconds',
    help: 'From the arrival of a request to the end of its answer',
    labelNames,
    buckets,
    registers: [registry],
  });
  const series = new Map<string, LatencySeries>();
  const seriesOf: LatencySeriesOf = (method, route, status) => {
    const key = `${method} ${status} ${route}`;
    let one = series.get(key);
    if (one === undefined) {
      one = histogram.labels({ method, route, status: String(status) });
      series.set(key, one);
    }
    return one;
  };
  server.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? noRoute;
    seriesOf(request.method, route, reply.statusCode).observe(reply.elapsedTime / 1_000);
    done();
  });
  return seriesOf;
}
