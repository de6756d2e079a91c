// The service itself, downloading in the background what it misses.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Places } from '@steward/platform-auth/download/names/places';
import { serve } from '@steward/platform-auth/serve';
import { answerOnce } from './measured.ts';

const lookMs = 50;

// The files outlive it, for another that finds them whole.
const directory = process.env['DIRECTORY'] ?? '';
const places = new Places(join(directory, 'game'));

answerOnce(async ({ proxyUrl, token }, _own, begin) => {
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
  await until(places.stage, places.marker);
  begin();
  await until(places.marker);
});

/** Any of them. */
async function until(...paths: readonly string[]): Promise<void> {
  while (!paths.some((path) => existsSync(path))) await pause(lookMs);
}
