import { join } from 'node:path';
import type { Platform } from '@steward/platform-emulator/running-platform';
import { Program } from '@steward/testing/program';

export const gameApp = 413_150;
export const account = 'host';
export const accounts = [{ name: account, password: 'pass-of-host', owns: [gameApp] }];

export interface FastSidecarOptions {
  readonly platform: Platform;
  readonly directory: string;
  /** How many times as fast its clock runs. */
  readonly speed: string;
  readonly secret: string;
  /** 0 lets the system choose one. */
  readonly port: string;
}

/** The sidecar as a process, with the account's token in its environment. */
export function fastSidecar(
  { platform, directory, speed, secret, port }: FastSidecarOptions,
  more: NodeJS.ProcessEnv = {},
): Program {
  return new Program('packages/platform-auth/test/world/fast-sidecar.ts', [], {
    CLOCK_SPEED: speed,
    HOST: '127.0.0.1',
    PORT: port,
    SESSION_DIR: join(directory, 'session'),
    GAME_DIR: join(directory, 'game'),
    PLATFORM_PROXY: platform.proxyUrl,
    NODE_EXTRA_CA_CERTS: platform.caFile,
    PLATFORM_REFRESH_TOKEN: platform.refreshToken(account),
    PLATFORM_AUTH_SECRET: secret,
    // Most platforms here have no game to download: on a fast clock it would try again and again, each time in a new process.
    PLATFORM_DOWNLOAD: 'off',
    ...more,
  });
}
