import { Program } from '@steward/testing/program';
import { expect, it } from 'vitest';
import { AuditBook } from '../house/audit-book.ts';
import { drainAndComeBack } from '../house/house.ts';
import { Ward } from './ward.ts';

/** A farm that nobody tells to stop. */
async function farm() {
  const ward = new Ward('farm', async () => new Program('packages/local-stack/test/soak/entries/idle.ts'));
  await ward.start();
  return { ward, [Symbol.asyncDispose]: () => ward.stop() };
}

it('is not waited for longer than somebody wants to, and can be stopped after that', async () => {
  await using there = await farm();
  await expect(there.ward.startAgain(AbortSignal.timeout(50))).rejects.toThrow(/timeout/);
  expect(there.ward.running).toBe(true);
});

it('is stopped at once where the drain that should have ended it has failed, and that is what is told', async () => {
  await using there = await farm();
  const world = { farmStartsAgain: (signal: AbortSignal) => there.ward.startAgain(signal) };
  const owner = {
    startDrain: async () => ({ operationId: 'a' }),
    getOperation: async () => ({ state: 'refused', why: 'the game cannot save' }),
  } as unknown as Parameters<typeof drainAndComeBack>[1];
  await expect(drainAndComeBack(world, owner, new AuditBook([], []))).rejects.toThrow(
    /drain ended with.*the game cannot save/,
  );
});
