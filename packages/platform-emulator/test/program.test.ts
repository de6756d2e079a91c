import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Program } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { z } from 'zod';

const entry = 'packages/platform-emulator/src/main.ts';
const client = 'packages/platform-emulator/test/programs/client.mjs';

const reach = z.object({
  proxyUrl: z.string(),
  caFile: z.string(),
  ticketKey: z.string(),
  accounts: z.array(z.object({ name: z.string(), steamId: z.string(), refreshToken: z.string() })),
});

it('serves unmodified clients in processes of their own, from login to download', async () => {
  await using emulator = new Program(entry, ['--json', '--account', 'ada:löve lace', '--game-mb', '1']);
  const [line = ''] = await emulator.line(/^\{.*\}$/);
  const { proxyUrl, caFile, ticketKey, accounts } = reach.parse(JSON.parse(line));
  await using run = new Program(client, [], {
    PROXY: proxyUrl,
    NODE_EXTRA_CA_CERTS: caFile,
    TICKET_KEY: ticketKey,
    ACCOUNT: 'ada',
    PASSWORD: 'löve lace',
  });
  const [report = ''] = await run.line(/^\{.*\}$/);
  const steamId = accounts[0]?.steamId;
  const { files, hashes, ...ids } = JSON.parse(report);
  expect(ids).toEqual({ steamId, ticketOf: steamId });
  expect(files).toBeGreaterThan(hashes);
  expect(await run.exited).toEqual({ code: 0, signal: null });
  emulator.kill('SIGTERM');
  expect(await emulator.exited).toEqual({ code: 0, signal: null });
  expect(existsSync(caFile)).toBe(false);
});

it('tells a person how to point a client at it', async () => {
  await using emulator = new Program(entry, ['--game-mb', '1']);
  const [, sidecar] = await emulator.line(/the sidecar PLATFORM_PROXY=(http:\/\/127\.0\.0\.1:\d+)/);
  const [, client] = await emulator.line(/httpProxy: '(http:\/\/127\.0\.0\.1:\d+)'/);
  const [, caFile = ''] = await emulator.line(/NODE_EXTRA_CA_CERTS=(\S+ca\.pem)/);
  expect(client).toBe(sidecar);
  expect(existsSync(caFile)).toBe(true);
});

it('refuses a client that does not trust its certificate', async () => {
  await using emulator = new Program(entry, ['--json', '--game-mb', '1']);
  const [line = ''] = await emulator.line(/^\{.*\}$/);
  const { proxyUrl } = reach.parse(JSON.parse(line));
  await using run = new Program(client, [], { PROXY: proxyUrl, ACCOUNT: 'host', PASSWORD: 'host' });
  await run.line(/self.signed certificate|unable to .* certificate/);
  expect((await run.exited).code).not.toBe(0);
});

it.each([
  [['--game-mb', '0'], /--game-mb is "0"; it is a whole number from 1 to 4096/],
  [['--account', 'ada'], /--account is "ada"; it is NAME:PASSWORD or NAME:PASSWORD:GUARD/],
  [['--account', 'ada:pw:magic'], /the guard of "ada" is "magic"; it is none, email-code/],
  [['--port', '70000'], /--port is "70000"; it is a whole number from 0 to 65535/],
  [['--nonsense'], /see --help/],
])('refuses %j with one line', async (args, message) => {
  await using emulator = new Program(entry, args);
  await emulator.line(message);
  expect(emulator.stderr.length).toBe(1);
  expect((await emulator.exited).code).toBe(2);
});

it('keeps what clients trust and read tickets with over a restart, where it is told to', async () => {
  using directory = temporaryDirectory();
  const clients = join(directory.path, 'clients');
  const args = ['--game-mb', '1', '--keep', join(directory.path, 'keep'), '--clients', clients];
  const given = async () => {
    await using emulator = new Program(entry, args);
    await emulator.line(/The platform emulator is up/);
    return ['ca.pem', 'ticket-key'].map((file) => readFileSync(join(clients, file), 'utf8'));
  };
  const [ca, key] = await given();
  expect(ca).toContain('BEGIN CERTIFICATE');
  expect(ca).not.toContain('PRIVATE KEY');
  expect(key).toMatch(/^[0-9a-f]{64}\n$/);
  expect(await given()).toEqual([ca, key]);
});

it('answers a check of its health, and nobody else does', async () => {
  await using emulator = new Program(entry, ['--json', '--game-mb', '1']);
  const [line = ''] = await emulator.line(/^\{.*\}$/);
  const { port } = new URL(reach.parse(JSON.parse(line)).proxyUrl);
  await using check = new Program(entry, ['--check', '--port', port]);
  expect((await check.exited).code).toBe(0);
  emulator.kill('SIGKILL');
  await emulator.exited;
  await using second = new Program(entry, ['--check', '--port', port]);
  await second.line(/no emulator answers at http:\/\/127\.0\.0\.1:\d+\//);
  expect((await second.exited).code).toBe(2);
});
