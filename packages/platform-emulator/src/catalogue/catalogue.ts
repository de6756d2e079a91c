import type { Account } from '../accounts/accounts.ts';
import type { ServedDepot } from '../cdn/answer-content.ts';
import type { Depot } from '../depot/depot.ts';

/** A version of an app's content under a name: `public` is what everyone gets. */
export interface AppDepot {
  readonly depot: Depot;
  /** Branches on which this version is current: `public` alone when absent, none for one that is only kept. */
  readonly branches?: readonly string[];
}

export interface App {
  readonly appId: number;
  readonly name: string;
  readonly depots: readonly AppDepot[];
  /** Everyone may have it without a licence, as the platform's redistributables. */
  readonly free?: boolean;
  /** Branches that want a password; product info names them, and says so. */
  readonly passwordBranches?: readonly string[];
}

export const publicBranch = 'public';

/** The names of an app's branches, as everyone is told of them. */
export function branchesOf({ depots, passwordBranches = [] }: App): readonly string[] {
  const open = depots.flatMap((depot) => depot.branches ?? []);
  return [...new Set([publicBranch, ...open, ...passwordBranches])];
}

/** What the platform has to sell. The list may change while it runs: that is an update. */
export class Catalogue {
  readonly #apps = new Map<number, App>();
  #changeNumber = 1;

  constructor(apps: readonly App[]) {
    for (const app of apps) this.#apps.set(app.appId, app);
  }

  get changeNumber(): number {
    return this.#changeNumber;
  }

  /** Every version of every depot, also those that no branch points at any more. */
  get depots(): readonly ServedDepot[] {
    return [...this.#apps.values()].flatMap(({ appId, depots }) =>
      depots.map(({ depot }) => ({ appId, depot })),
    );
  }

  app(appId: number): App | undefined {
    return this.#apps.get(appId);
  }

  /** Puts an app in the place of the one with its id. */
  publish(app: App): void {
    this.#apps.set(app.appId, app);
    this.#changeNumber += 1;
  }

  /** The depot, if it belongs to an app that this account may download. */
  depotFor(account: Account, appId: number | undefined, depotId: number | undefined): Depot | undefined {
    const app = appId === undefined ? undefined : this.#apps.get(appId);
    if (app === undefined || !(app.free === true || account.owns.includes(app.appId))) return undefined;
    return app.depots.find(({ depot }) => depot.depotId === depotId)?.depot;
  }

  /** Whether a manifest is, or was, a version of this depot, and the branch it is asked for by is one of the app's. */
  hasManifest(appId: number, depotId: number, manifestId: string, branch: string): boolean {
    const app = this.#apps.get(appId);
    if (app === undefined || !branchesOf(app).includes(branch)) return false;
    return app.depots.some(({ depot }) => depot.depotId === depotId && depot.manifestId === manifestId);
  }
}
