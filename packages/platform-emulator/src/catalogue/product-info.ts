import { packageOf } from '../accounts/packages.ts';
import type { Depot } from '../depot/depot.ts';
import { encodeKeyValues } from '../wire/binary-key-values.ts';
import { encodeVdf, type VdfTree } from '../wire/vdf.ts';
import type { App, AppDepot } from './catalogue.ts';

const publicBranch = 'public';

/** An app's product info as the platform keeps it: text, every value a string, a NUL at the end. */
export function appInfo(app: App, changeNumber: number): Buffer {
  const { passwordBranches = [] } = app;
  const open = app.depots.flatMap((depot) => depot.branches ?? []);
  const branches = [...new Set([publicBranch, ...open, ...passwordBranches])];
  const tree = {
    appinfo: {
      appid: app.appId,
      common: { name: app.name, type: 'Game', gameid: app.appId },
      depots: {
        ...depotTrees(app.depots),
        branches: Object.fromEntries(
          branches.map((branch) => [
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
export function packageInfo(app: App): Buffer {
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
