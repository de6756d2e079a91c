import { existsSync } from 'node:fs';
import { Program } from '@steward/testing/program';
import { expect, it } from 'vitest';
import { z } from 'zod';

const entry = 'packages/platform-emulator/dist/main.js';
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
  await emulator.line(/httpProxy: 'http:\/\/127\.0\.0\.1:\d+'/);
  await emulator.line(/NODE_EXTRA_CA_CERTS=.+ca\.pem/);
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
  [['--nonsense'], /--help shows what there is/],
])('refuses %j with one line', async (args, message) => {
  await using emulator = new Program(entry, args);
  await emulator.line(message);
  expect(emulator.stderr.length).toBe(1);
  expect((await emulator.exited).code).toBe(2);
});
