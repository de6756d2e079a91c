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

it('ends a member that takes longer to stop than it may, and says so', async () => {
  using directory = temporaryDirectory();
  const entry = join(directory.path, 'stays.mjs');
  const staying = 'process.on("SIGTERM", () => {});\nsetInterval(() => {}, 1_000);\n';
  writeFileSync(entry, `${staying}process.stdout.write("begun\\n");\n`);
  const member = new RunningMember(
    { name: 'control-api', entry, nodeOptions: [], environment: {}, stopLimitMs: 100 },
    new MemberLog(process.stdout, true),
    { keepsFirstLine: true },
  );
  expect(await member.firstLine).toBe('begun');
  const told: string[] = [];
  await member.stop((why) => told.push(why));
  expect(member.running).toBe(false);
  expect(told).toEqual(['control-api did not stop within 0.1 s and is ended']);
});
