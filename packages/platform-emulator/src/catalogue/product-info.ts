import { createHash } from 'node:crypto';
import { appOf, packageOf } from '../accounts/accounts.ts';
import { type CmHandler, exchange } from '../cm/cm-message.ts';
import type { Depot } from '../depot/depot.ts';
import { encodeKeyValues, encodeVdf, type VdfTree } from '../wire/key-values.ts';
import { messageNumbers } from '../wire/numbers.ts';
import { messageType } from '../wire/protobufs.ts';
import { type App, type AppDepot, branchesOf, type Catalogue, publicBranch } from './catalogue.ts';

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

/** An app's product info as the platform keeps it: text, every value a string, a NUL at the end. */
function appInfo(app: App, changeNumber: number): Buffer {
  const { passwordBranches = [] } = app;
  const tree = {
    appinfo: {
      appid: app.appId,
      common: { name: app.name, type: 'Game', gameid: app.appId },
      depots: {
        ...depotTrees(app.depots),
        branches: Object.fromEntries(
          branchesOf(app).map((branch) => [
            branch,
            { buildid: changeNumber, ...(passwordBranches.includes(branch) ? { pwdrequired: 1 } : {}) },
          ]),
        ),
      },
    },
  };
  return Buffer.from(`${encodeVdf(tree)}\0`);
}

function depotTrees(depots: readonly AppDepot[]): VdfTree {
  const ids = [...new Set(depots.map(({ depot }) => depot.depotId))];
  return Object.fromEntries(
    ids.map((id) => {
      const versions = depots.filter(({ depot }) => depot.depotId === id);
      return [String(id), { ...audience(versions[0]?.depot), manifests: manifests(versions) }];
    }),
  );
}

/** A depot without a config is meant for everyone: the common ones have none. */
function audience(depot: Depot | undefined): VdfTree {
  const config = { oslist: depot?.osList, osarch: depot?.osArch, language: depot?.language };
  const isCommon = Object.values(config).every((value) => value === undefined);
  return isCommon ? {} : { config };
}

function manifests(versions: readonly AppDepot[]): VdfTree {
  return Object.fromEntries(
    versions.flatMap(({ depot, branches = [publicBranch] }) =>
      branches.map((branch) => [
        branch,
        { gid: depot.manifestId, size: depot.sizeOnDisk, download: depot.sizeToDownload },
      ]),
    ),
  );
}

/** A package's info, in the binary form: which apps and depots its licence opens. */
function packageInfo(app: App): Buffer {
  const packageId = packageOf(app.appId);
  const depotIds = [...new Set(app.depots.map(({ depot }) => depot.depotId))];
  return encodeKeyValues(
    {
      packageid: packageId,
      billingtype: 1,
      licensetype: 1,
      status: 0,
      appids: { 0: app.appId },
      depotids: Object.fromEntries(depotIds.map((id, index) => [index, id])),
    },
    String(packageId),
  );
}
