import { createHash } from 'node:crypto';
import { demoApps } from '@steward/platform-emulator/demo-apps';
import { contentOf } from '@steward/platform-emulator/depot/depot';
import { buildGame, buildSdk } from '@steward/platform-emulator/depot/game/build-game';
import { describe, expect, it } from 'vitest';
import type { ManifestFile } from '../src/download/manifest/manifest.ts';
import { ContentRun, wantedOf } from './world/content-run.ts';
import { gameApp } from './world/emulated.ts';

const sdkApp = 1007;
const apps = demoApps('content', 2_000_000);

it('reads the manifests of all depots that fit as they were made', async () => {
  await using run = await ContentRun.start({ apps });
  const manifests = await run.manifests(gameApp);
  expect(manifests.map(({ depotId }) => depotId)).toEqual([413153, 413155, 413156]);
  const { linux } = buildGame({ seed: 'content', bytes: 2_000_000 });
  const [manifest] = manifests;
  expect(manifest?.manifestId).toBe(linux.manifestId);
  const told = manifest?.files.map(({ name, kind, executable, bytes, sha1 }: ManifestFile) => {
    return { name, kind, executable, bytes, sha1 };
  });
  const made = linux.files.map((file) => {
    const { name } = { name: file.name.replaceAll('\\', '/') };
    if (file.kind !== 'file')
      return { name, kind: file.kind === 'symlink' ? 'link' : 'directory', executable: false, bytes: 0 };
    const content = contentOf(file.content);
    const sha1 = createHash('sha1').update(content.read(0, content.size)).digest('hex');
    return {
      name,
      kind: 'file',
      executable: file.executable === true,
      bytes: content.size,
      ...(content.size === 0 ? {} : { sha1 }),
    };
  });
  expect(told).toEqual(made);
});

it('delivers every chunk once, also of what is free for everyone', async () => {
  await using run = await ContentRun.start({ apps });
  const manifests = [...(await run.manifests(gameApp)), ...(await run.manifests(sdkApp))];
  const wanted = wantedOf(manifests);
  const delivered = await run.fetchAll(manifests);
  expect(delivered.size).toBe(wanted.length);
  expect(new Set(delivered.values())).toEqual(new Set([1]));
  // Exactly so many requests: nothing was fetched twice.
  expect(run.world.platform.record.count({ kind: 'chunk' })).toBe(wanted.length);
  expect(run.world.platform.record.count({ path: 'ClientGetDepotDecryptionKey' })).toBe(manifests.length);
});

describe('the catalogue refuses', () => {
  it('an app that the account does not own', async () => {
    const accounts = [{ name: 'poor', password: 'pass-of-poor' }];
    await using run = await ContentRun.start({ apps, accounts, account: 'poor' });
    await expect(run.manifests(gameApp)).rejects.toMatchObject({ problem: 'not-owned' });
  });

  it.each([
    ['nowhere', 'does not exist'],
    ['secret', 'needs a password'],
  ])('the branch %s, and names those that there are', async (branch, reason) => {
    const { linux } = buildGame({ seed: 'beta', bytes: 1_000_000 });
    const depots = [{ depot: linux, branches: ['public', 'beta'] }];
    const app = { appId: gameApp, name: 'Farm', depots, passwordBranches: ['secret'] };
    await using run = await ContentRun.start({ apps: [app], branch });
    await expect(run.manifests(gameApp)).rejects.toThrow(
      `The branch "${branch}" of app ${gameApp} ${reason}. Set PLATFORM_BRANCH to one of: public, beta`,
    );
  });

  it('an app with nothing for this system', async () => {
    const { windows } = buildGame({ seed: 'windows', bytes: 1_000_000 });
    const app = { appId: gameApp, name: 'Farm', depots: [{ depot: windows }] };
    await using run = await ContentRun.start({ apps: [app] });
    await expect(run.manifests(gameApp)).rejects.toMatchObject({ problem: 'nothing-for-this-system' });
  });
});

it('takes a language’s own depot along when the language is kept', async () => {
  await using run = await ContentRun.start({ apps, languages: ['de-DE', 'th-TH'] });
  expect((await run.manifests(gameApp)).map(({ depotId }) => depotId)).toContain(413157);
});

it('takes a branch’s own version, and the public one of what the branch leaves as it is', async () => {
  const first = buildGame({ seed: 'versions', bytes: 1_000_000 });
  const second = buildGame({ seed: 'versions', bytes: 1_000_000, version: 2 });
  const depots = [
    { depot: first.linux },
    { depot: second.linux, branches: ['beta'] },
    { depot: first.common },
  ];
  const app = { appId: gameApp, name: 'Farm', depots };
  await using run = await ContentRun.start({ apps: [app], branch: 'beta' });
  expect((await run.manifests(gameApp)).map(({ manifestId }) => manifestId)).toEqual([
    second.linux.manifestId,
    first.common.manifestId,
  ]);
});

it('takes the SDK from its public branch, whichever the game is taken from', async () => {
  const { linux } = buildGame({ seed: 'beside the SDK', bytes: 1_000_000 });
  const sdk = buildSdk('beside the SDK');
  const published = [
    { appId: gameApp, name: 'Farm', depots: [{ depot: linux, branches: ['beta'] }] },
    { appId: sdkApp, name: 'SDK', free: true, depots: [{ depot: sdk }] },
  ];
  await using run = await ContentRun.start({ apps: published, branch: 'beta' });
  const manifests = [...(await run.manifests(gameApp)), ...(await run.manifests(sdkApp))];
  expect(manifests.map(({ manifestId }) => manifestId)).toEqual([linux.manifestId, sdk.manifestId]);
});

it('goes on when the session is lost and another one begins', async () => {
  await using run = await ContentRun.start({ apps });
  await run.session?.close();
  const manifests = run.manifests(gameApp);
  await run.logOn();
  expect((await manifests).length).toBe(3);
});
