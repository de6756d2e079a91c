// The peer: steam-user's own downloadFile, with its own LZMA decoder or with the native one that it takes where it is installed.
import { once } from 'node:events';
import { createRequire, registerHooks } from 'node:module';
import { join } from 'node:path';
import { gameAppId } from '@steward/platform-emulator/depot/game/build-game';
import { depotId } from './depots.ts';
import { answerOnce } from './measured.ts';

interface Client extends NodeJS.EventEmitter {
  logOn(details: { refreshToken: string }): void;
  logOff(): void;
  getManifest(
    appId: number,
    depotId: number,
    manifestId: string,
    branch: string,
  ): Promise<{ manifest: { files: { filename: string }[] } }>;
  downloadFile(appId: number, depotId: number, file: object, path: string): Promise<unknown>;
}

const isNative = process.env['NATIVE_LZMA'] === '1';
// Asked before the hook is there, which would be asked in turn.
const nativeUrl = import.meta.resolve('lzma-native');
registerHooks({
  resolve(specifier, context, next) {
    if (specifier !== 'lzma-native') return next(specifier, context);
    if (isNative) return { url: nativeUrl, format: 'commonjs', shortCircuit: true };
    throw Object.assign(new Error('not installed here'), { code: 'MODULE_NOT_FOUND' });
  },
});

const require = createRequire(
  import.meta.resolve('@steward/platform-auth/platform/library/steam-user-session'),
);
const SteamUser: new (options: object) => Client = require('steam-user');

answerOnce(async ({ proxyUrl, token, manifestId }, directory, begin) => {
  const client = new SteamUser({ httpProxy: proxyUrl, dataDirectory: null, enablePicsCache: false });
  client.logOn({ refreshToken: token });
  await once(client, 'loggedOn');
  begin();
  const { manifest } = await client.getManifest(gameAppId, depotId, manifestId, 'public');
  for (const file of manifest.files)
    await client.downloadFile(gameAppId, depotId, file, join(directory, file.filename));
  client.logOff();
});
