// The peer: the same answer as it is usually built, from an object through the schema, with fastify's own request log.
import { timingSafeEqual } from 'node:crypto';
import { answers } from '@steward/shared/api/answers';
import fastify from 'fastify';
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { Histogram, Registry } from 'prom-client';

const status = answers.getStatus[200].parse(JSON.parse(process.env['BODY'] ?? ''));
const key = Buffer.from(`Bearer ${process.env['API_KEY']}`);
const registry = new Registry();
const latency = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Latency',
  labelNames: ['method', 'route', 'status'],
  registers: [registry],
});

const server = fastify({ logger: true }).withTypeProvider<ZodTypeProvider>();
server.setValidatorCompiler(validatorCompiler);
server.setSerializerCompiler(serializerCompiler);
server.addHook('onRequest', async (request, reply) => {
  const given = Buffer.from(request.headers.authorization ?? '');
  if (given.length === key.length && timingSafeEqual(given, key)) return;
  await reply.code(401).send();
});
server.addHook('onResponse', async (request, reply) => {
  latency
    .labels({
      method: request.method,
      route: request.routeOptions.url ?? '',
      status: String(reply.statusCode),
    })
    .observe(reply.elapsedTime / 1_000);
});
server.get('/status', { schema: { response: { 200: answers.getStatus[200] } } }, async () => status);
await server.listen({ host: '127.0.0.1', port: 0 });
process.once('SIGTERM', () => process.exit());
