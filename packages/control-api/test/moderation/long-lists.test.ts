import { slot } from '@steward/testing/game/empty-farm';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { openApi } from '../api/stage/open-api.ts';

const most = 5_000;
const few = 5;
const farmhands = Array.from({ length: 300 }, (_, index) => slot(String(1_000 + index), `Player ${index}`));
const knock = { connectionId: 'L_7f21', address: '192.0.2.7', slots: farmhands };
const rounds = 15;

/** Networks of every length, and players whom only the ownership map knows. */
function rows(length: number) {
  return Array.from({ length }, (_, index) =>
    index % 2 === 0
      ? { address: `10.${index >> 8}.${index & 255}.0/${24 + (index % 9)}` }
      : { playerId: String(9_000_000 + index) },
  );
}

it('lists as long as they may be keep nobody waiting at the door', async () => {
  using longDirectory = temporaryDirectory();
  using shortDirectory = temporaryDirectory();
  const listed = (length: number) => ({
    bans: rows(length),
    allowlist: [...rows(length - 1), { address: '192.0.2.0/24' }],
  });
  await using long = await openApi({ directory: longDirectory.path, leftLists: listed(most) });
  await using short = await openApi({ directory: shortDirectory.path, leftLists: listed(few) });
  const longMs: number[] = [];
  const shortMs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const [api, ms] of [
      [long, longMs],
      [short, shortMs],
    ] as const) {
      const began = performance.now();
      const answer = await api.farm.ask('visibleSlots', knock);
      ms.push(performance.now() - began);
      expect(answer).toMatchObject({
        kind: 'result',
        result: { farmhandIds: farmhands.map(({ id }) => id) },
      });
    }
  }
  expect(Math.min(...longMs) / Math.min(...shortMs)).toBeLessThan(5);
});
