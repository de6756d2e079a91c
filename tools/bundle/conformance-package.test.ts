import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { publint } from 'publint';
import { expect, it } from 'vitest';
import { conformancePackage } from './conformance-package.ts';

const run = promisify(execFile);
const smallest = fileURLToPath(new URL('../../examples/smallest-game.mjs', import.meta.url));

it('makes a package that npx runs, with nothing beside it, against the smallest game', async () => {
  using place = temporaryDirectory();
  const made = join(place.path, 'made');
  await conformancePackage(made, 'somebody/steward');
  expect((await publint({ pkgDir: made, pack: false })).messages).toEqual([]);
  expect(readFileSync(join(made, 'dist/THIRD-PARTY-LICENCES.txt'), 'utf8')).toContain('zod');

  const options = {
    cwd: place.path,
    env: {
      PATH: process.env['PATH'],
      HOME: place.path,
      npm_config_offline: 'true',
      FARM_FILE: join(place.path, 'farm'),
    },
  };
  await run('npm', ['pack', './made'], options);
  const { version } = JSON.parse(readFileSync(join(made, 'package.json'), 'utf8'));
  const tarball = `./steward-bridge-conformance-${version}.tgz`;
  const game = JSON.stringify([process.execPath, smallest]);
  const check = ['--yes', tarball, '--spawn', game, '--rule', 'hello', '--rule', 'journal'];
  const { stdout } = await run('npx', check, options);
  expect(stdout).toContain('2 rules: 2 kept, 0 broken, 0 not checked');
});
