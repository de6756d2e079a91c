import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Duplex, type Readable, type Writable } from 'node:stream';
import { inherited, Program, programFile } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { SaveFolders } from '../src/saves/save-store.ts';
import { ControlApiStandIn } from './control-api-stand-in.ts';
import { ticketKey } from './town-hall.ts';

const program = programFile('packages/simulated-game/src/main.ts');

interface Spawned extends AsyncDisposable {
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  readonly api: ControlApiStandIn;
  readonly environment: Record<string, string>;
  readonly exited: Promise<unknown[]>;
}

/** The farm as the control API starts it: it speaks over its standard input and output. */
function spawned(more: Record<string, string> = {}): Spawned {
  const directory = temporaryDirectory();
  const environment = {
    FARM_SAVES_DIR: join(directory.path, 'saves'),
    FARM_CONTROL: join(directory.path, 'control.sock'),
    FARM_TICKET_KEY: ticketKey.toString('hex'),
    FARM_PACE: '100',
    FARM_VISITORS: '3',
    LOG_LEVEL: 'silent',
    ...more,
  };
  const child = spawn(process.execPath, [program], {
    env: { ...inherited(), ...environment },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const exited = once(child, 'exit');
  return {
    child,
    api: new ControlApiStandIn(Duplex.from({ readable: child.stdout, writable: child.stdin })),
    environment,
    exited,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exited;
      directory[Symbol.dispose]();
    },
  };
}

function savedBy({ environment }: Spawned) {
  return new SaveFolders({ directory: environment['FARM_SAVES_DIR'] ?? '' }).load();
}

it('speaks nothing but the bridge on its standard output, and its visitors bring it to life', async () => {
  await using farm = spawned();
  await farm.api.wholeState();
  await farm.api.until(() => farm.api.events.find(({ kind }) => kind === 'chat'));
  expect(farm.api.events.some(({ kind }) => kind === 'playerJoined')).toBe(true);
});

it('saves and exits with code 0 when its standard input ends and nobody plays', async () => {
  await using farm = spawned({ FARM_VISITORS: '0' });
  await farm.api.wholeState();
  await farm.api.command('setTime', '1', { value: 1500 });
  farm.child.stdin.end();
  expect(await farm.exited).toEqual([0, null]);
  expect(savedBy(farm)).toMatchObject({ generation: 2, timeOfDay: 1500 });
});

it.each([
  ['its standard input ends', ({ child }: Spawned) => child.stdin.end()],
  ['it is told to stop', ({ api }: Spawned) => void api.command('stop', '2', {})],
  ['it is sent a signal', ({ child }: Spawned) => child.kill('SIGTERM')],
])('loses the day of whoever plays when %s', async (_what, end) => {
  // So slow that nobody leaves meanwhile, and no day ends: both would be saved.
  await using farm = spawned({ FARM_PACE: '10' });
  await farm.api.wholeState();
  await farm.api.until(() => farm.api.state.players?.some(() => true));
  const { farm: before } = await farm.api.wholeState();
  end(farm);
  expect(await farm.exited).toEqual([0, null]);
  expect(savedBy(farm)?.generation).toBe(before?.saveGeneration);
});

it('dies without a word when it is told to crash, and with what it had not saved', async () => {
  await using farm = spawned();
  await farm.api.wholeState();
  await farm.api.command('setTime', '1', { value: 1500 });
  await using order = new Program('packages/simulated-game/src/give-order.ts', ['crash'], farm.environment);
  expect(await farm.exited).toEqual([null, 'SIGKILL']);
  expect((await order.exited).code).toBe(0);
  expect(savedBy(farm)).toMatchObject({ generation: 1, timeOfDay: 600 });
});

it('reads and writes nothing while it is frozen, and goes on as if nothing had been', async () => {
  await using farm = spawned();
  await farm.api.wholeState();
  const order = async (...words: string[]) => {
    await using run = new Program('packages/simulated-game/src/give-order.ts', words, farm.environment);
    expect((await run.exited).code).toBe(0);
  };
  await order('freeze', '100');
  // By the time that this one has run, all that was said before has arrived.
  await order('show');
  const { length } = farm.api.log;
  const asked = farm.api.ask('journal', { commands: ['1'] });
  await order('show');
  expect(farm.api.log).toHaveLength(length);
  await order('thaw');
  expect(await asked).toMatchObject({ entries: [{ command: '1', state: 'absent' }] });
});

it.each([
  [{ FARM_BRIDGE: 'pigeon' }, 'FARM_BRIDGE is "pigeon"'],
  [{ FARM_TICKET_KEY: 'secret-but-short' }, 'FARM_TICKET_KEY is malformed'],
  [{ FARM_PACE: '0' }, 'FARM_PACE is "0"'],
  [{ FARM_BRIDGE: 'tcp:127.0.0.1:7300' }, 'needs FARM_BRIDGE_SECRET'],
  [{ FARM_SAVES_DIR: program }, 'which is not a directory'],
  [{ FARM_SAVE: '/data/farm/save.json' }, 'FARM_SAVE was removed'],
  [{ FARM_SAVE_NAME: 'Meadow_1' }, 'of the saves in'],
  [{ FARM_CONTROL: `/tmp/${'x'.repeat(120)}` }, 'FARM_CONTROL is longer than'],
])('refuses %j in one line', async (wrong, reason) => {
  using directory = temporaryDirectory();
  const right = {
    FARM_CONTROL: join(directory.path, 'c.sock'),
    FARM_SAVES_DIR: join(directory.path, 'saves'),
  };
  await using farm = new Program('packages/simulated-game/src/main.ts', [], { ...right, ...wrong });
  expect((await farm.exited).code).toBe(1);
  expect(farm.stderr.filter((line) => line.includes(reason))).toHaveLength(1);
  expect(farm.stderr.join()).not.toContain('secret-but-short');
  expect(existsSync(right.FARM_SAVES_DIR)).toBe(false);
});
