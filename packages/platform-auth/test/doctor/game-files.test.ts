import { renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfiguration } from '@steward/service-kit/configuration/read';
import { expect, it } from 'vitest';
import { gameFilesCheck } from '../../src/commands/doctor/checks/game-files.ts';
import { variables } from '../../src/configuration.ts';
import { diskSteps } from '../../src/download/disk/disk-steps.ts';
import { takeLock } from '../../src/download/disk/lock.ts';
import { prepareGameDirectory } from '../../src/download/disk/prepare.ts';
import { Places } from '../../src/download/names/places.ts';
import { existingMarker } from '../world/existing-marker.ts';
import { LocalDownload } from '../world/local-download.ts';

const game = { seed: 'doctor', bytes: 1_000_000 };

async function found(world: LocalDownload, environment: NodeJS.ProcessEnv = {}) {
  const configuration = readConfiguration(variables, { GAME_DIR: world.directory, ...environment });
  return (await gameFilesCheck.examine({ configuration })).finding;
}

const aFile = ({ directory, tree }: LocalDownload): string => {
  const name = Object.keys(tree).find((each) => each.endsWith('.xnb'));
  return join(directory, name ?? 'no such file');
};

it('is content with a whole game', async () => {
  using world = new LocalDownload(game);
  await world.run();
  expect(await found(world)).toMatchObject({
    status: 'ok',
    found: expect.stringMatching(/^complete, \d+ files/),
  });
});

it.each([
  ['gone', (path: string) => rmSync(path)],
  ['cut', (path: string) => truncateSync(path, 1)],
  ['renamed, with nothing in its place', (path: string) => renameSync(path, `${path}-original`)],
])('fails for a file that is %s', async (_what, harm) => {
  using world = new LocalDownload(game);
  await world.run();
  harm(aFile(world));
  expect(await found(world)).toMatchObject({
    status: 'failed',
    found: expect.stringMatching(/^1 of \d+ files are gone or have another size$/),
    remedy: expect.stringContaining('--verify'),
  });
});

it('is content where SMAPI has renamed the game’s launcher and put its own in the place, and not once the game’s is cut', async () => {
  using world = new LocalDownload(game);
  await world.run();
  const launcher = join(world.directory, 'FarmGame');
  const renamed = `${launcher}-original`;
  renameSync(launcher, renamed);
  writeFileSync(launcher, 'exec ./ModLoader');
  expect(await found(world)).toMatchObject({ status: 'ok' });
  truncateSync(renamed, 1);
  expect(await found(world)).toMatchObject({
    status: 'failed',
    found: expect.stringMatching(/^1 of \d+ files are gone or have another size$/),
  });
});

it('warns of languages that were configured since', async () => {
  using world = new LocalDownload(game);
  await world.run();
  for (const environment of [{ PLATFORM_KEEP_LANGUAGES: 'ja-JP' }, { PLATFORM_KEEP_FILES: '**/*.pdb' }])
    expect(await found(world, environment)).toMatchObject({
      status: 'warning',
      found: expect.stringMatching(/other languages/),
    });
});

it('warns of a game that the existing server’s own downloader has brought: the service does not update it', async () => {
  using world = new LocalDownload(game);
  writeFileSync(new Places(world.directory).marker, existingMarker);
  expect(await found(world)).toMatchObject({
    status: 'warning',
    found: expect.stringMatching(/existing server’s own downloader/),
    remedy: expect.stringMatching(/[Ss]top the game, run `platform-auth download`/),
  });
});

it('warns of a game that is not there, is being downloaded, or was left half-way', async () => {
  using world = new LocalDownload(game);
  expect(await found(world)).toMatchObject({ status: 'warning', found: 'missing or incomplete' });
  const places = new Places(world.directory);
  await prepareGameDirectory(places, diskSteps);
  {
    await using _lock = await takeLock(places, 'download', () => new Date());
    expect(await found(world)).toMatchObject({ status: 'warning', found: 'a download is running' });
  }
  writeFileSync(places.journal, '{}');
  expect(await found(world)).toMatchObject({
    status: 'warning',
    found: expect.stringMatching(/interrupted/),
  });
});
