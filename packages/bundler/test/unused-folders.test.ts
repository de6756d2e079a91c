import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { bundle } from '../src/bundle.ts';

it('leaves nothing in an image’s tree of what packages bring along for those who build them', async () => {
  using directory = temporaryDirectory();
  const packages = [
    'node_modules/.pnpm/protobufjs@6.11.6/node_modules/protobufjs',
    'node_modules/protobufjs',
  ];
  const files = packages.flatMap((folder) => [
    `${folder}/src/index.js`,
    `${folder}/cli/node_modules/espree/index.js`,
  ]);
  for (const file of files) {
    mkdirSync(join(directory.path, file, '..'), { recursive: true });
    writeFileSync(join(directory.path, file), '');
  }
  // As pnpm has it: whoever uses a package has a link to it.
  const user = join(directory.path, 'node_modules/.pnpm/a-user@1.0.0/node_modules');
  mkdirSync(user, { recursive: true });
  symlinkSync(join(directory.path, packages[0] ?? ''), join(user, 'protobufjs'));
  await bundle('platform-auth', directory.path);
  expect(files.filter((file) => existsSync(join(directory.path, file)))).toEqual(
    packages.map((folder) => `${folder}/src/index.js`),
  );
  for (const folder of packages) expect(existsSync(join(directory.path, folder, 'cli'))).toBe(false);
});
