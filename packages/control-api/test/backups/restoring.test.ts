import { expect, it } from 'vitest';
import { meadow, restoreStage } from './stage/restore-stage.ts';
import { plant, treeOf } from './stage/trees.ts';

it('puts back what the backup has, with a way back, and the game is seen again with it', async () => {
  await using stage = await restoreStage({ spawns: true });
  const { places, ask } = stage;
  await stage.live();
  await ask('POST', '/time?value=900');
  plant(places.saves, { [`${meadow}/SaveGameInfo`]: 'of the first day', 'Other_2/Other_2': 'another' });
  // The game saves whatever it has.
  await stage.service.bridge.run({ name: 'save', params: {} });
  const id = await stage.backup();
  const before = treeOf(places.saves);
  plant(places.saves, {
    [`${meadow}/SaveGameInfo`]: 'of the second day',
    'Third_3/Third_3': 'of a new farm',
  });
  await ask('POST', '/time?value=1500');
  stage.events.length = 0;
  const { status, body } = await ask('POST', `/backups/restore?id=${id}`);
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { success: true, isSeen: true, backup: { id }, safetyBackupId: expect.any(String) },
  });
  expect(body['message']).toMatch(/^The backup is restored\. The game is online with/);
  const { Third_3: folder, 'Third_3/Third_3': file, ...now } = treeOf(places.saves, [`${meadow}/${meadow}`]);
  expect([folder, file]).toEqual([expect.any(String), expect.any(String)]);
  const { [`${meadow}/${meadow}`]: _, ...then } = before;
  expect(now).toEqual(then);
  await stage.live();
  expect(stage.service.bridge.state.sections.status?.timeOfDay).toBe(900);
  expect(
    stage.events
      .filter(({ type }) => /^(backups|game)/.test(type))
      .map(({ type, data }) => [type, data['step']]),
  ).toEqual([
    ['backups.restoring', 'checking'],
    ['backups.restoring', 'stopping-game'],
    ['game.stopped', undefined],
    ['backups.restoring', 'safety-backup'],
    ['backups.made', undefined],
    ['backups.restoring', 'unpacking'],
    ['backups.restoring', 'swapping'],
    ['backups.restoring', 'starting-game'],
    ['game.starting', undefined],
    ['game.connected', undefined],
    ['backups.restored', undefined],
  ]);
});
