import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { openApi, testKey } from '../api/stage/open-api.ts';

const run = promisify(execFile);
const root = new URL('../../../../', import.meta.url);

/** Runs what a page shows, as one program, and tells what it printed. */
async function printedBy(page: string): Promise<string[]> {
  await using api = await openApi({ key: testKey });
  using _client = await api.listen();
  const { port } = api.app.server.address() as AddressInfo;
  const text = readFileSync(new URL(page, root), 'utf8');
  const program = [...text.matchAll(/```ts\n([\s\S]*?)```/g)]
    .map(([, block = '']) => block)
    .join('\n')
    .replace('http://127.0.0.1:8080', `http://127.0.0.1:${port}`)
    .replace('the-key-that-the-server-has', testKey)
    .replaceAll("'@steward/client'", `'${new URL('packages/client/src/index.ts', root)}'`);
  using directory = temporaryDirectory();
  const file = join(directory.path, 'example.mts');
  writeFileSync(file, program);
  const { stdout } = await run(process.execPath, [file]);
  return stdout.trim().split('\n');
}

it('what the page of the package shows works, in its order', async () => {
  expect(await printedBy('packages/client/README.md')).toEqual(['Ann (620826087702429092) is on Sunnybrook']);
});

it('what the page of the API shows works', async () => {
  expect(await printedBy('docs/api.md')).toEqual(['It was 930, and is 1200']);
});
