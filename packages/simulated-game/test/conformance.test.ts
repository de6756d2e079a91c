import { join } from 'node:path';
import { platformAccountRange } from '@steward/shared/ids';
import { Program, programFile } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { type ExpectStatic, it } from 'vitest';
import { issuerOf } from '../src/networks/app-ticket.ts';
import { Random } from '../src/time/random.ts';
import { ticketKey } from './town-hall.ts';

const conformance = 'packages/bridge-conformance/src/main.ts';
const farm = 'packages/simulated-game/src/main.ts';

// What a test without a ticket (here the spawning one), or in the other mode, cannot check; all else must be kept.
const notChecked = {
  spawn: ['lobby-visibility', 'reconnect', 'lost-claim'],
  listen: ['journal-follows-save', 'input-end', 'stop'],
};

function environment(directory: string): Record<string, string> {
  return {
    FARM_SAVES_DIR: join(directory, 'saves'),
    FARM_CONTROL: join(directory, 'control.sock'),
    LOG_LEVEL: 'silent',
  };
}

function ticketOf(key: Buffer): string {
  return issuerOf(key, new Random('conformance'))(platformAccountRange.min + 1n).toString('base64');
}

/** By the test's own `expect`: beside others that run, that alone knows whose it is. */
async function expectKept(run: Program, mode: keyof typeof notChecked, expect: ExpectStatic): Promise<void> {
  const { code } = await run.exited;
  const verdicts = (verdict: string) => run.stdout.filter((line) => line.startsWith(verdict));
  expect(verdicts('BROKEN')).toEqual([]);
  expect(verdicts('-').map((line) => line.split(/\s+/)[1])).toEqual(notChecked[mode]);
  expect(verdicts('ok').length).toBeGreaterThanOrEqual(20);
  expect(code).toBe(0);
}

it.concurrent('keeps every rule of the bridge when it is spawned', async ({ expect }) => {
  using directory = temporaryDirectory();
  const command = JSON.stringify([process.execPath, programFile('packages/simulated-game/src/main.ts')]);
  await using run = new Program(conformance, ['--spawn', command], environment(directory.path));
  await expectKept(run, 'spawn', expect);
}, 90_000);

it.concurrent('keeps every rule of the bridge when it dials, its lobby’s too when there is a ticket', async ({
  expect,
}) => {
  using directory = temporaryDirectory();
  const address = `unix:${join(directory.path, 'bridge.sock')}`;
  await using run = new Program(conformance, ['--listen', address, '--ticket', ticketOf(ticketKey)]);
  await using _farm = new Program(farm, [], {
    ...environment(directory.path),
    FARM_BRIDGE: address,
    FARM_TICKET_KEY: ticketKey.toString('hex'),
  });
  await expectKept(run, 'listen', expect);
}, 90_000);
