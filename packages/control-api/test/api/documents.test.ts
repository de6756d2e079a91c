import { readFileSync } from 'node:fs';
import { systemClock } from '@steward/service-kit/clock';
import { readConfiguration } from '@steward/service-kit/configuration/read';
import { createLogger } from '@steward/service-kit/log/logger';
import { ownMs } from '@steward/testing/loop-delay';
import fastify, { type FastifyInstance } from 'fastify';
import { expect, it } from 'vitest';
import { variables } from '../../src/configuration.ts';
import { documentFile } from '../../src/entries.ts';
import { describedServer } from '../../src/http/openapi/described-server.ts';
import { composeService } from '../../src/service.ts';
import { openApi } from './stage/open-api.ts';

const asks = 3;

/** What else the machine does only ever adds: the least of a few rounds, each of all three, is what each takes. */
const rounds = 5;

async function ownMsOf(what: () => unknown): Promise<number> {
  const startMs = ownMs();
  await what();
  return ownMs() - startMs;
}

async function askAgainAndAgain(app: Pick<FastifyInstance, 'inject'>, path: string): Promise<void> {
  for (let asked = 0; asked < asks; asked += 1) await app.inject(path);
}

/** Does nothing but give an answer: what stands in for a socket here takes as long as any server for a megabyte. */
function carrierOf(byteText: string): FastifyInstance {
  return fastify().get('/', (_request, reply) => {
    reply.hijack();
    reply.raw.end(byteText, 'latin1');
  });
}

it.each(['/api-spec/v1/api-spec.json', '/docs/json'])('%s is the committed document', async (path) => {
  await using api = await openApi();
  const answer = await api.ask('GET', path);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(answer.body).toBe(readFileSync(documentFile(), 'utf8'));
  const again = await api.ask('GET', path, { headers: { 'if-none-match': String(answer.headers['etag']) } });
  expect([again.statusCode, again.body]).toEqual([304, '']);
});

// Whoever reaches the port may ask for them, as often as they like.
it('costs less to answer with each of them again and again than to make the document once', async () => {
  const { app } = await composeService({
    configuration: readConfiguration(variables, {}),
    version: '1.0.0',
    logger: createLogger('documents', { LOG_LEVEL: 'silent', LOG_FORMAT: 'json' }, process.stderr),
    clock: systemClock,
    retryClock: systemClock,
    random: Math.random,
  });
  const measured = await Promise.all(
    ['/api-spec/v1/api-spec.json', '/docs/json', '/docs/yaml'].map(async (path) => {
      const { rawPayload } = await app.inject(path);
      const carrier = carrierOf(rawPayload.toString('latin1'));
      await carrier.inject('/');
      return { path, carrier, answering: [] as number[], carrying: [] as number[] };
    }),
  );
  const making: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    making.push(await ownMsOf(async () => (await describedServer('1.0.0')).swagger()));
    for (const { path, carrier, answering, carrying } of measured) {
      answering.push(await ownMsOf(() => askAgainAndAgain(app, path)));
      carrying.push(await ownMsOf(() => askAgainAndAgain(carrier, '/')));
    }
  }
  for (const { path, answering, carrying } of measured)
    expect(Math.min(...answering) - Math.min(...carrying), path).toBeLessThan(Math.min(...making));
});
