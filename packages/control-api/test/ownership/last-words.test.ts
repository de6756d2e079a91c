import { fileSteps } from '@steward/service-kit/files/replace-file';
import { expect, it } from 'vitest';
import { settled } from '../game/stage/stage.ts';
import { network, other } from './stage/connections.ts';
import { openVillage } from './stage/owners-stage.ts';

it('keeps what a game said last, also where it was gone before a slow disk had come to it', async () => {
  const disk = { slow: Promise.resolve() };
  await using stage = await openVillage({
    steps: { ...fileSteps, flush: (file) => disk.slow.then(() => fileSteps.flush(file)) },
  });
  const { village } = stage;
  stage.rule.enforced = false;
  const { promise, resolve } = Promise.withResolvers<void>();
  disk.slow = promise;
  const came = (playerId: string, connectionId: string) => ({
    kind: 'playerJoined',
    playerId,
    connectionId,
    playerName: '',
  });
  village.happens(came('1', network), came('2', other));
  await settled();
  await stage.bridge.stop();
  const closed = stage.ownership.close();
  resolve();
  await closed;
  expect(stage.onDisk().farmhands).toMatchObject({ '1': { origin: 'claim' }, '2': { origin: 'claim' } });
});
