// The whole download as the command does it: plan, stage, check, flush, publish.

import { openPlatformContent } from '@steward/platform-auth/download/catalogue/platform-content';
import type { DownloadEvents } from '@steward/platform-auth/download/progress/progress';
import { downloadTree } from '@steward/platform-auth/download/run/download';
import { libraryProxy } from '@steward/platform-auth/platform/library-proxy';
import { parseProxy } from '@steward/platform-auth/platform/proxy';
import { SteamPlatform } from '@steward/platform-auth/platform/steam-platform';
import { systemClock } from '@steward/service-kit/clock';
import { Secret } from '@steward/service-kit/secret';
import { answerOnce } from './measured.ts';

const quiet: DownloadEvents = {
  stage: () => {},
  checkBegins: () => {},
  checked: () => {},
  planned: () => {},
  fetched: () => {},
  written: () => {},
  warning: (text) => process.stderr.write(`${text}\n`),
};

answerOnce(async ({ proxyUrl, token }, gameDirectory, begin) => {
  const proxy = parseProxy(proxyUrl);
  if (!proxy.ok) throw new Error(proxy.reason);
  const steam = new SteamPlatform({
    proxy: libraryProxy(() => proxy.value),
    logonId: 1,
    clock: systemClock,
  });
  const session = await steam.logOn(new Secret(token));
  const { signal } = new AbortController();
  await using content = openPlatformContent({
    directory: session.content,
    proxyFor: () => undefined,
    clock: systemClock,
    branch: 'public',
    languages: [],
  });
  begin();
  await downloadTree(
    // The wave banks, too: every byte of the depot is wanted here.
    { gameDirectory, languages: [], keepFiles: ['**'], skipSdk: true, verify: false, again: false },
    { ...content, events: quiet, signal, now: () => new Date(), command: 'bench' },
  );
  await session.close();
});
