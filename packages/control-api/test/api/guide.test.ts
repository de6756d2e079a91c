import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { openApi, testKey } from './stage/open-api.ts';
import { operationsOf } from './stage/operations.ts';

function linesOf(page: string): string[] {
  const text = readFileSync(new URL(`../../../../docs/${page}`, import.meta.url), 'utf8');
  return [...text.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) => block.trim().split('\n'));
}

const run = promisify(execFile);

it('every line of docs/api.md works, in its order, and every endpoint is among them', async () => {
  const { asked, endpoints } = await runLines('api.md');
  expect(asked).toEqual(expect.arrayContaining(endpoints));
});

it('every line of docs/players-cannot-join.md works', async () => {
  expect((await runLines('players-cannot-join.md')).asked).toContain('POST /farmhands/rebind');
});

async function runLines(page: string) {
  await using api = await openApi({ key: testKey });
  const asked = new Set<string>();
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = api.app.server.address() as AddressInfo;
  api.app.server.on('request', ({ method, url = '' }) => asked.add(`${method} ${url.split('?')[0]}`));
  const environment = { ...process.env, API: `http://127.0.0.1:${port}`, API_KEY: testKey };
  let shell = '';
  for (const line of linesOf(page).filter((one) => !one.startsWith('export '))) {
    if (/^[A-Z]+=/.test(line)) {
      shell = `${line}\n`;
      continue;
    }
    const failing = line.replaceAll('curl -s', 'curl -sS --fail-with-body');
    const { stdout } = await run('sh', ['-ec', `${shell}${failing}`], { env: environment });
    expect(stdout, line).not.toBe('');
    expect(stdout, line).not.toContain('"success":false');
  }
  const endpoints = operationsOf(api.document)
    .filter(({ operationId }) => operationId !== 'openWebSocket')
    .map(({ method, path }) => `${method} ${path}`);
  const seen = [...asked].map((one) => one.replace(/\/operations\/\d+$/, '/operations/{id}'));
  return { asked: seen, endpoints };
}
