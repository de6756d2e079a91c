import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Program } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { AuditBook } from '../house/audit-book.ts';
import { drainAndComeBack } from '../house/house.ts';
import { blows, Ward } from './ward.ts';

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

it('is told of, with its last words, where it ended by itself, and not where it was told to end', async () => {
  using directory = temporaryDirectory();
  const entry = join(directory.path, 'ending.mjs');
  writeFileSync(entry, "process.stdout.write('no memory is left\\n'); process.exitCode = 3;");
  const ward = new Ward('control API', async () => new Program(entry));
  await ward.start();
  await expect(ward.failure).rejects.toThrow(/^control API ended by itself with 3: no memory is left$/);
  await using there = await farm();
  for (const blow of blows) await there.ward.strike(blow, 0);
  await there.ward.stop();
  const quiet = Promise.resolve('it has not failed');
  await expect(Promise.race([there.ward.failure, quiet])).resolves.toBe('it has not failed');
  await there.ward.strike('SIGTERM', 0);
  await there.ward.start();
  expect(there.ward.running).toBe(false);
});

it('is told of where it does not start again', async () => {
  let lives = 0;
  const ward = new Ward('sidecar', async () => {
    lives += 1;
    if (lives > 1) throw new Error('the port is taken');
    return new Program('packages/local-stack/test/soak/entries/idle.ts');
  });
  await ward.start();
  await expect(ward.strike('SIGKILL', 0)).rejects.toThrow('the port is taken');
  await expect(ward.failure).rejects.toThrow('sidecar did not start');
});
