import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Program } from '@steward/testing/program';
import { count, seed } from '@steward/testing/scale';
import { seededRandom } from '@steward/testing/seeded-random';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { messagesOf, unsaid } from './stage/judging.ts';
import { type Manner, manners, Receiver } from './stage/receiver.ts';

const settling: ReadonlySet<Manner> = new Set(['takes it', 'hangs within the body', '404', '301']);

it('over kill -9 and a receiver that fails in every way nothing is lost untold, order holds, and what is doubled has the same id', {
  timeout: 3_600_000,
}, async () => {
  const random = seededRandom(seed);
  const kills = count({ small: 3, long: 150 });
  using directory = temporaryDirectory();
  const toldPath = join(directory.path, 'told');
  const manner = (): Manner =>
    random() < 0.5 ? 'takes it' : (manners[Math.floor(random() * manners.length)] ?? 'takes it');
  await using receiver = new Receiver(manner);
  const url = await receiver.url();
  const start = (...more: string[]) =>
    new Program('packages/control-api/test/webhooks/telling-webhooks.ts', [
      directory.path,
      toldPath,
      url,
      ...more,
    ]);
  for (let kill = 0; kill < kills; kill += 1) {
    await using program = start();
    await program.line(/telling/);
    const enough = receiver.requests.length + 5 + Math.floor(random() * 40);
    await receiver.until(({ length }) => length >= enough);
    program.kill('SIGKILL');
    await program.exited;
  }
  await using last = start('last');
  // Each of those that were killed has left some behind, and a receiver that fails takes its time over each.
  await last.line(/^told/, { withinMs: 1_800_000 });
  expect(await last.exited).toMatchObject({ code: 0 });

  const sent = receiver.requests.map((each) => ({ ...each, isSettled: settling.has(each.manner) }));
  const messages = messagesOf(sent);
  expect(messages.filter(({ type }) => type === 'gap').length).toBeGreaterThan(0);
  expect(messages.length).toBeGreaterThan(kills * 3);
  const told = readFileSync(toldPath, 'utf8').trimEnd().split('\n');
  expect(unsaid(messages, told)).toEqual([]);
});
