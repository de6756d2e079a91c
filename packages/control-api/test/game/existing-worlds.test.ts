import { defaultSettings } from '@steward/shared/bridge/settings';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ExistingStage, operationOf } from './stage/existing-stage.ts';

let stage: ExistingStage;
beforeEach(() => {
  stage = new ExistingStage();
});
afterEach(() => stage[Symbol.asyncDispose]());

async function connected() {
  const server = await stage.server();
  const { bridge, live, until } = await stage.bridgeTo(server.origin);
  await live();
  return { farm: server.farm, bridge, until };
}

const newFarm = {
  name: 'newFarm',
  params: { game: { ...defaultSettings.game, farmName: 'Riverbend' } },
} as const;

it('makes a farm there, and shows the one that it has', async () => {
  const { farm, bridge, until } = await connected();
  expect(operationOf(await bridge.run(newFarm))).toMatchObject({ state: 'applied' });
  expect(farm.farmName).toBe('Riverbend');
  await until(({ sections }) => sections.status?.farmName === 'Riverbend');
  expect(await bridge.ask('farms')).toEqual({
    farms: [{ id: 'loaded', farmName: 'Riverbend', day: 1, season: 'spring', year: 1, isLoaded: true }],
  });
});

it('loads the farm again that it has, and says where others are loaded', async () => {
  const { farm, bridge } = await connected();
  const load = (farmId: string) => bridge.run({ name: 'loadFarm', params: { farmId } });
  expect(operationOf(await load('loaded'))).toMatchObject({ state: 'applied' });
  expect(farm.reloads).toBe(1);
  expect(operationOf(await load('Riverbend_1'))).toMatchObject({
    state: 'refused',
    outcome: { code: 'not-found', message: expect.stringContaining('`saves`') },
  });
  expect(farm.reloads).toBe(1);
});

it('does neither while somebody plays there', async () => {
  const { farm, bridge } = await connected();
  farm.customize(farm.join(), 'Ann');
  expect(operationOf(await bridge.run(newFarm))).toMatchObject({ outcome: { code: 'players-online' } });
  expect(farm.farmName).toBe('Junimo');
});

it('shows a picture where it draws one, and says why where it does not', async () => {
  const { farm, bridge } = await connected();
  await expect(bridge.ask('screenshot')).rejects.toMatchObject({
    code: 'command-failed',
    message: expect.stringContaining('Rendering is disabled'),
  });
  farm.fps = 30;
  expect(Buffer.from((await bridge.ask('screenshot')).png, 'base64').toString('latin1')).toContain('PNG');
});
