import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

const source = (file: string) => JSON.stringify(new URL(file, import.meta.url).href);

/** After so many requests V8 settles what room the next have; the harm is done where it has collected all of them before. */
const before = 6;

/** In a process of its own: in this one, others have had their answers. */
const program = `
  import { createHttpServer } from ${source('./http-server.ts')};
  import { collector } from ${source('../process/collector.ts')};
  import { createLogger } from ${source('../log/logger.ts')};
  import { setFlagsFromString } from 'node:v8';

  setFlagsFromString('--allow-natives-syntax');
  const isFast = new Function('one', 'return %HasFastProperties(one)');
  const server = createHttpServer(createLogger('test', { LOG_LEVEL: 'error', LOG_FORMAT: 'json' }, process.stderr));
  const seen = [];
  server.get('/', async (request, reply) => {
    seen.push(isFast(request.raw) && isFast(reply.raw));
    return {};
  });
  const origin = await server.listen({ port: 0, host: '127.0.0.1' });
  const ask = async () => (await fetch(origin, { headers: { connection: 'close' } })).text();
  for (let asked = 0; asked < ${before}; asked += 1) await ask();
  await collector()({ type: 'major', execution: 'async', flavor: 'last-resort' });
  for (let asked = 0; asked < 3; asked += 1) await ask();
  await server.close();
  process.stdout.write(JSON.stringify(seen));
`;

it('keeps what V8 knows of requests and answers, though it collects the first of them', () => {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual(Array.from({ length: before + 3 }, () => true));
});
