import type { Agent } from 'node:https';
import type { MessageTypes } from '@steward/service-kit/late-message-types';

export interface LogonAnswer {
  readonly eresult: number;
}

/** The part of steam-user that is used here. It ships no types; members with `_` are its protected ones. */
export interface SteamUserClient {
  readonly steamID: { getSteamID64(): string } | null;
  readonly cellID: number | null;
  logOn(details: { refreshToken: string; logonID: number; machineName: string }): void;
  logOff(): void;
  webLogOn(): void;
  createEncryptedAppTicket(appId: number): Promise<{ encryptedAppTicket: Buffer }>;
  getAppOwnershipTicket(appId: number): Promise<unknown>;
  getProductInfo(
    apps: readonly number[],
    packages: readonly number[],
    withTokens: true,
  ): Promise<{ apps: Readonly<Record<number, { appinfo: unknown }>> }>;
  getDepotDecryptionKey(appId: number, depotId: number): Promise<{ key: Buffer }>;
  getManifestRequestCode(
    appId: number,
    depotId: number,
    manifestId: string,
    branch: string,
  ): Promise<{ requestCode: { toString(): string } }>;
  getCDNAuthToken(appId: number, depotId: number, host: string): Promise<{ token: string }>;
  on(event: 'error', listener: (error: Error & { eresult?: number }) => void): unknown;
  on(event: 'disconnected', listener: (eresult: number) => void): unknown;
  on(event: 'loggedOn' | 'steamGuard', listener: () => void): unknown;
  once(event: 'disconnected', listener: () => void): unknown;
  removeAllListeners(): unknown;
  _initProperties(isConnecting?: boolean): void;
  _logonMsgTimeout?: NodeJS.Timeout;
  _handleLogOnResponse(answer: LogonAnswer): Promise<void>;
  _enqueueLogonAttempt(): void;
  readonly _useMessageQueue: boolean;
  readonly _loggingOff: boolean;
  _handleConnectionClose(connection: object): void;
  _getProxyAgent(): Agent | undefined;
  _disconnect(suppressLogoff: boolean): void;
  _getLoginSession(): { refreshToken: string; renewRefreshToken(): Promise<boolean> };
  _apiRequest(
    verb: 'GET',
    service: string,
    method: string,
    version: number,
    parameters: object,
  ): Promise<{ response?: { servers?: Readonly<Record<string, Readonly<Record<string, unknown>>>> } }>;
  _send(
    header: { msg: number; proto: { routing_appid: number } },
    body: Buffer,
    answered: (body: { toBuffer(): Buffer }) => void,
  ): void;
}

export interface SteamUserOptions {
  readonly autoRelogin: false;
  readonly renewRefreshTokens: false;
  readonly dataDirectory: null;
  readonly enablePicsCache: false;
  readonly protocol: number;
}

export interface SteamUserLibrary {
  readonly Client: new (options: SteamUserOptions) => SteamUserClient;
  readonly messages: MessageTypes;
}
