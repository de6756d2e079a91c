import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@steward/testing/free-port';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { MemberLog } from './member-log.ts';
import { RunningMember } from './running-member.ts';

it('says why it ends a member that does not answer in time', async () => {
  using directory = temporaryDirectory();
  const entry = join(directory.path, 'silent.mjs');
  writeFileSync(entry, 'setInterval(() => {}, 1_000);\n');
  const member = new RunningMember(
    { name: 'platform-auth', entry, nodeOptions: [], environment: {} },
    new MemberLog(process.stdout, true),
  );
  const health = `http://127.0.0.1:${await freePort()}/health`;
  const told: string[] = [];
  expect(await member.answers(health, (why) => told.push(why), 100)).toBe(false);
  await member.exited;
  expect(told).toEqual([
    `platform-auth did not answer ${health} within 0.1 s and is ended: is this machine busy, or its disk slow?`,
  ]);
});
