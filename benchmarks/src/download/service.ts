// The service itself, downloading in the background what it misses.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Places } from '@steward/platform-auth/download/tree/places';
import { serve } from '@steward/platform-auth/serve';
import { answerOnce } from './measured.ts';

const lookMs = 50;

answerOnce(async ({ proxyUrl, token }, directory, begin) => {
  const places = new Places(join(directory, 'game'));
  Object.assign(process.env, {
    HOST: '127.0.0.1',
    LOG_LEVEL: 'warn',
    PLATFORM_PROXY: proxyUrl,
    PLATFORM_REFRESH_TOKEN: token,
    PLATFORM_SKIP_SDK: 'true',
    // The wave banks, too: every byte of the depot is wanted here.
    PLATFORM_KEEP_FILES: '**',
    SESSION_DIR: join(directory, 'session'),
    GAME_DIR: places.root,
  });
  await serve();
  await until(places.stage);
  begin();
  await until(places.marker);
});

async function until(path: string): Promise<void> {
  while (!existsSync(path)) await pause(lookMs);
}
