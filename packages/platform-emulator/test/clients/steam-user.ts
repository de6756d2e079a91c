import { type EventEmitter, once } from 'node:events';
import { createRequire } from 'node:module';
import { onTestFinished } from 'vitest';
import type { Platform } from '../../src/running-platform.ts';

const require = createRequire(import.meta.url);

export interface ParsedTicket {
  steamID: { getSteamID64(): string };
  appID: number;
  userData: Buffer;
}

/** A header and a body as steam-user's protected `_send` takes them; lobbies have no method of their own. */
export type Send = (
  header: { msg: number; proto: { routing_appid: number } },
  body: Buffer,
  callback: (body: { toBuffer(): Buffer }) => void,
) => void;

export interface ContentServerInfo {
  Host: string;
  type: string;
  allowed_app_ids?: object;
}

/** The part of the unmodified client that these tests use; the package has no typings for most of it. */
export interface SteamUser extends EventEmitter {
  readonly steamID: { getSteamID64(): string } | null;
  readonly cellID: number;
  readonly publicIP: string;
  _send: Send;
  logOn(details: { refreshToken?: string; logonID?: number; accountName?: string; password?: string }): void;
  logOff(): void;
  createEncryptedAppTicket(appId: number, userData?: Buffer): Promise<{ encryptedAppTicket: Buffer }>;
  getAppOwnershipTicket(appId: number): Promise<{ appOwnershipTicket: Buffer }>;
  getProductInfo(
    apps: readonly number[],
    packages: readonly number[],
    withTokens: boolean,
  ): Promise<{
    apps: Record<string, { appinfo: AppInfo }>;
    packages: Record<string, { packageinfo: { appids: number[]; depotids: number[] } }>;
    unknownApps: number[];
    unknownPackages: number[];
  }>;
  getDepotDecryptionKey(appId: number, depotId: number): Promise<{ key: Buffer }>;
  getManifestRequestCode(
    appId: number,
    depotId: number,
    manifestId: string,
    branch: string,
  ): Promise<{ requestCode: string }>;
  getCDNAuthToken(appId: number, depotId: number, host: string): Promise<{ token: string; expires: Date }>;
  getContentServers(appId?: number): Promise<{ servers: ContentServerInfo[] }>;
  getManifest(
    appId: number,
    depotId: number,
    manifestId: string,
    branch: string,
  ): Promise<{ manifest: { files: ManifestFile[] } }>;
  downloadFile(appId: number, depotId: number, file: ManifestFile): Promise<{ file: Buffer }>;
}

export interface ManifestFile {
  filename: string;
  size: string;
  flags: number;
  chunks: { sha: string }[];
}

export interface AppInfo {
  common: { name: string };
  depots: Record<
    string,
    {
      config?: { oslist?: string; osarch?: string; language?: string };
      manifests: Record<string, { gid: string; size: string; download: string }>;
    }
  >;
}

interface SteamUserClass {
  new (options: object): SteamUser;
  parseEncryptedAppTicket(ticket: Buffer, key: Buffer): ParsedTicket | null;
  parseAppTicket(ticket: Buffer, allowInvalidSignature: boolean): ParsedTicket | null;
}

export const SteamUser: SteamUserClass = require('steam-user');

/** A client that is pointed at the emulator and nowhere else, and writes no files. */
export function steamUser(platform: Platform, options: object = {}): SteamUser {
  const client = new SteamUser({
    httpProxy: platform.proxyUrl,
    dataDirectory: null,
    enablePicsCache: false,
    ...options,
  });
  onTestFinished(() => {
    // What it still says belongs to no test.
    client.removeAllListeners();
    client.on('error', () => undefined);
    client.logOff();
  });
  return client;
}

export async function loggedOn(
  platform: Platform,
  accountName: string,
  { logonID = 0, ...options }: { logonID?: number; renewRefreshTokens?: boolean; autoRelogin?: boolean } = {},
): Promise<SteamUser> {
  const client = steamUser(platform, options);
  client.logOn({ refreshToken: platform.refreshToken(accountName), logonID });
  await once(client, 'loggedOn');
  return client;
}

/** The EResult of the error that ends a logon. */
export async function refusalOf(client: SteamUser): Promise<number | undefined> {
  const [error]: { eresult?: number }[] = await once(client, 'error', {
    signal: AbortSignal.timeout(20_000),
  });
  return error?.eresult;
}
