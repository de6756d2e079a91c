import { defaultSettings } from '@steward/shared/bridge/settings';
import { expect, it } from 'vitest';
import { farmOriginsFormat } from './farm-origins.ts';

it('a farm that was made before a setting existed was made with its default', () => {
  const { mushroomCave, ...known } = { ...defaultSettings.game, farmName: 'Meadow', buyJoja: true };
  const kept = { version: 1, farms: [{ farmId: 'Meadow_1', madeFrom: known }] };
  expect(farmOriginsFormat.read(JSON.stringify(kept))).toEqual({
    kind: 'content',
    content: { version: 1, farms: [{ farmId: 'Meadow_1', madeFrom: { ...known, mushroomCave } }] },
  });
});
