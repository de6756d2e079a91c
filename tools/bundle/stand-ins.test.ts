import { join } from 'node:path';
import { Program } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { shipped } from './bundle.ts';

it('ships the emulator, which answers the check of its own health', async () => {
  using bundled = await shipped('platform-emulator');
  await using emulator = new Program(bundled.main, ['--game-mb', '1']);
  const [, port = ''] = await emulator.line(/http:\/\/127\.0\.0\.1:(\d+)/);
  await using check = new Program(bundled.main, ['--check', '--port', port]);
  expect(await check.exited).toEqual({ code: 0, signal: null });
});

it('ships the farm and, beside it, the program that gives it orders', async () => {
  using bundled = await shipped('simulated-game');
  using state = temporaryDirectory();
  const environment = {
    FARM_BRIDGE: `unix:${join(state.path, 'nobody.sock')}`,
    FARM_CONTROL: join(state.path, 'control.sock'),
    FARM_SAVES_DIR: join(state.path, 'saves'),
  };
  await using farm = new Program(bundled.main, [], environment);
  await farm.line(/the farm is open/);
  await using orders = new Program(join(bundled.main, '../farm.js'), ['show'], environment);
  await orders.line(/the farm opens with its first connection/);
  // It has not shown anything yet.
  expect(await orders.exited).toEqual({ code: 1, signal: null });
});

it('names in the farm’s help and refusals what is beside the bundle, which has no npm', async () => {
  using bundled = await shipped('simulated-game');
  using state = temporaryDirectory();
  const environment = { FARM_CONTROL: join(state.path, 'control.sock') };
  const orders = join(bundled.main, '../farm.js');
  await using help = new Program(orders, ['help'], environment);
  await using show = new Program(orders, ['show'], environment);
  await Promise.all([help.exited, show.exited]);
  expect(help.stdout[0]).toMatch(/^node dist\/farm\.js <order>: /);
  expect(show.stderr).toEqual([`farm: no farm listens at ${environment.FARM_CONTROL}`]);
  expect(help.stdout.join('\n')).not.toContain('npm');
});
