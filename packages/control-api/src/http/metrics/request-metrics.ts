import type { HttpServer } from '@steward/service-kit/http/http-server';
import { endpoints } from '@steward/shared/api/endpoints';
import { problemCodes } from '@steward/shared/problems/problem-codes';
import type { FastifyRequest } from 'fastify';
import { Counter, type Registry } from 'prom-client';
import { LatencyHistogram } from './latency-histogram.ts';

/** What counts the requests that no hook sees, too. */
interface RequestMetrics {
  readonly latencies: LatencyHistogram;
  /** Counts a refusal by its status. */
  readonly countRefused: (status: number) => void;
}

/** Latency by route, for every route that is added after it. */
export function measureRequests(server: HttpServer, registry: Registry): RequestMetrics {
  const latencies = new LatencyHistogram(
    'steward_http_request_duration_seconds',
    'Time from the arrival of a request to the end of its answer, without those refused and those that wait',
    registry,
  );
  server.decorateRequest('hasSeat', false);
  const refused = countRefusals(registry);
  const countRefused = (status: number) => refused.inc({ status: String(status) });
  server.addHook('onResponse', (request, reply, done) => {
    const { url: route } = request.routeOptions;
    const status = reply.statusCode;
    if (isRefusal(status)) countRefused(status);
    else if (isQuestionBefore(request)) return done();
    else if (route === undefined) countRefused(status);
    else if (!isAsLongAsItsReader(request)) {
      // A HEAD is a GET whose body stays here.
      const method = request.method === 'HEAD' ? 'GET' : request.method;
      latencies.of(method, route, status).observe(reply.elapsedTime / 1_000);
    }
    done();
  });
  return { latencies, countRefused };
}

/**
 * Whoever reaches the port can have themselves refused, on every path and by every method: by status alone, that makes
 * no more series than there are from the start.
 */
function countRefusals(registry: Registry): Counter<'status'> {
  const refused = new Counter({
    name: 'steward_http_refused_total',
    help: 'Refused requests, by status',
    labelNames: ['status'],
    registers: [registry],
  });
  for (const { status } of Object.values(problemCodes))
    if (isRefusal(status)) refused.inc({ status: String(status) }, 0);
  refused.inc({ status: String(problemCodes['unknown-method'].status) }, 0);
  return refused;
}

function isRefusal(status: number): boolean {
  return status >= 400 && status < 500;
}

/** How long it took says when its reader left, or for how long nothing happened. */
function isAsLongAsItsReader({ routeOptions, hasSeat }: FastifyRequest): boolean {
  const { action } = routeOptions.config;
  if (hasSeat) return true;
  return action !== undefined && 'endless' in endpoints[action];
}

/** What a browser asks before the request that it is about. */
function isQuestionBefore({ method }: FastifyRequest): boolean {
  return method === 'OPTIONS';
}
