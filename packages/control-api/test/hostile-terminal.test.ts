import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { CommandsInTurn } from '@steward/service-kit/test/commands/commands-in-turn';
import { Program } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';

/** Clears the screen, goes up a line and reverses the direction of text, each in a way that JSON leaves as it is. */
const hostile = 'a\u009b2J\u009b1Ab\u202egnp.exe\u2028c\u007fd';
const written = 'a\\u009b2J\\u009b1Ab\\u202egnp.exe\\u2028c\\u007fd';
const harm = /(?!\n)[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u;

it('what others wrote gives a terminal no orders: the audit, a list, an error, for people and as JSON', async () => {
  using place = temporaryDirectory();
  const env = {
    API_KEY: 'the-owner',
    STATE_DIR: join(place.path, 'state'),
    SETTINGS_PATH: join(place.path, 'settings.json'),
    BACKUP_DIR: place.path,
  };
  mkdirSync(env.STATE_DIR);
  await using commands = new CommandsInTurn('packages/control-api/src/program.ts');
  const harmless = ({ stdout, stderr }: Pick<Program, 'stdout' | 'stderr'>) => {
    const said = [...stdout, ...stderr].join('\n');
    expect(said).not.toMatch(harm);
    return said;
  };
  const run = async (...args: readonly string[]) => harmless(await commands.run(args, env));
  /** In a process of its own, as people run it. */
  const runAlone = async (...args: readonly string[]) => {
    await using program = new Program('packages/control-api/src/main.ts', args, env);
    await program.exited;
    return harmless(program);
  };
  await run('bans', 'add', '--identity', '76561198000000042', '--reason', hostile);
  expect(await runAlone('audit')).toContain(`reason="${written}"`);
  const schedule = ['--name', hostile, '--action', 'save', '--cron', '0 5 * * *'];
  expect(await runAlone('schedules', 'create', ...schedule)).toContain(written);
  const [line = ''] = (await run('audit', '--json')).split('\n');
  expect(JSON.parse(line)).toMatchObject({ parameters: { reason: hostile } });
  expect(await run('backup', 'verify', '--file', join(place.path, hostile))).toContain(written);
  expect(await run('keys', 'create', '--name', hostile, '--scopes', 'read')).toContain(written);
});
