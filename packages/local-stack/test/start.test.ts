import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { Program } from '@steward/testing/program';
import { expect, it, vi } from 'vitest';

const entry = 'packages/local-stack/dist/main.js';

it('brings everything up, says what to try, and takes everything down', async () => {
  await using stack = new Program(entry);
  const [, docs = ''] = await stack.line(/documentation +(http:\S+)/);
  const [, health = ''] = await stack.line(/is it alive\? +curl (http:\S+)/);
  const [, sidecar = ''] = await stack.line(/the sidecar +curl (http:\S+)/);
  for (const url of [docs, health, sidecar]) expect((await fetch(url)).status).toBe(200);
  stack.kill('SIGTERM');
  expect(await stack.exited).toEqual({ code: 0, signal: null });
  for (const url of [docs, health, sidecar]) await expect(fetch(url)).rejects.toThrow();
});

it('prefixes each line with the process that wrote it', async () => {
  await using stack = new Program(entry);
  await stack.line(/^control-api +\| .*listening on http:\/\/127\.0\.0\.1/);
  await stack.line(/^platform-auth +\| .*listening on http:\/\/127\.0\.0\.1/);
  stack.kill('SIGTERM');
  await stack.exited;
});

it.each(['API_PORT', 'PORT'])(
  'says in one line that the port in %s is taken, and ends with 1',
  async (variable) => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    await using stack = new Program(entry, [], { [variable]: String(port) });
    expect(await stack.exited).toMatchObject({ code: 1 });
    expect(stack.stderr).toEqual([expect.stringContaining(`steward: ${variable}: port ${port} is held`)]);
    other.close();
  },
);

it('stops the others and ends with 1 when one process ends', async () => {
  await using stack = new Program(entry);
  const [, pid = ''] = await stack.line(/^platform-auth .*"pid":(\d+)/);
  await stack.line(/Steward is up/);
  process.kill(Number(pid), 'SIGKILL');
  expect(await stack.exited).toMatchObject({ code: 1 });
  expect(stack.stdout.join('\n')).toContain('platform-auth ended');
});

it('leaves nothing running when it is killed itself', async () => {
  await using stack = new Program(entry);
  const [, health = ''] = await stack.line(/is it alive\? +curl (http:\S+)/);
  stack.kill('SIGKILL');
  await stack.exited;
  await vi.waitFor(() => expect(fetch(health)).rejects.toThrow(), { timeout: 10_000 });
});

it('refuses an option that it does not have', async () => {
  await using stack = new Program(entry, ['--frsh']);
  expect(await stack.exited).toMatchObject({ code: 1 });
  expect(stack.stderr).toEqual([expect.stringMatching(/^steward: .*--frsh.*--help/)]);
});
