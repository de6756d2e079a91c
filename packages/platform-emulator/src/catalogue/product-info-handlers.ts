import { createHash } from 'node:crypto';
import { appOf } from '../accounts/packages.ts';
import { type CmHandler, exchange } from '../cm/cm-message.ts';
import { messageNumbers } from '../wire/message-numbers.ts';
import { messageType } from '../wire/protobufs.ts';
import type { Catalogue } from './catalogue.ts';
import { appInfo, packageInfo } from './product-info.ts';

// All in steammessages_clientserver_appinfo.proto.
interface InfoRequest {
  apps: { appid: number; access_token?: string }[];
  packages: { packageid: number; access_token?: string }[];
}
interface Info {
  change_number: number;
  missing_token: boolean;
  sha: Buffer;
  buffer: Buffer;
  size: number;
}
interface InfoResponse {
  apps: (Info & { appid: number })[];
  packages: (Info & { packageid: number })[];
  unknown_appids: number[];
  unknown_packageids: number[];
}
interface TokenRequest {
  appids: number[];
  packageids: number[];
}
interface TokenResponse {
  app_access_tokens: { appid: number; access_token: string }[];
  app_denied_tokens: number[];
}

export function productInfoHandlers(catalogue: Catalogue): CmHandler[] {
  return [productInfo(catalogue), accessTokens(catalogue)];
}

/** 8903 -> 8904. */
function productInfo(catalogue: Catalogue): CmHandler {
  return exchange<InfoRequest, InfoResponse>({
    request: {
      message: messageNumbers.ClientPICSProductInfoRequest,
      type: messageType('CMsgClientPICSProductInfoRequest'),
    },
    response: {
      message: messageNumbers.ClientPICSProductInfoResponse,
      type: messageType('CMsgClientPICSProductInfoResponse'),
    },
    answer({ apps = [], packages = [] }) {
      const answer: InfoResponse = { apps: [], packages: [], unknown_appids: [], unknown_packageids: [] };
      for (const { appid } of apps) {
        const app = catalogue.app(appid);
        if (app === undefined) answer.unknown_appids.push(appid);
        else answer.apps.push({ appid, ...info(catalogue, appInfo(app, catalogue.changeNumber)) });
      }
      for (const { packageid } of packages) {
        const app = catalogue.app(appOf(packageid) ?? 0);
        if (app === undefined) answer.unknown_packageids.push(packageid);
        else answer.packages.push({ packageid, ...info(catalogue, packageInfo(app)) });
      }
      return answer;
    },
  });
}

function info(catalogue: Catalogue, buffer: Buffer): Info {
  return {
    change_number: catalogue.changeNumber,
    missing_token: false,
    sha: createHash('sha1').update(buffer).digest(),
    buffer,
    size: buffer.length,
  };
}

/** 8905 -> 8906. Every app of the catalogue can be looked at; what one may download is the depot key's question. */
function accessTokens(catalogue: Catalogue): CmHandler {
  return exchange<TokenRequest, TokenResponse>({
    request: {
      message: messageNumbers.ClientPICSAccessTokenRequest,
      type: messageType('CMsgClientPICSAccessTokenRequest'),
    },
    response: {
      message: messageNumbers.ClientPICSAccessTokenResponse,
      type: messageType('CMsgClientPICSAccessTokenResponse'),
    },
    answer({ appids = [] }) {
      const known = appids.filter((appid) => catalogue.app(appid) !== undefined);
      return {
        app_access_tokens: known.map((appid) => ({ appid, access_token: String(appid) })),
        app_denied_tokens: appids.filter((appid) => !known.includes(appid)),
      };
    },
  });
}
