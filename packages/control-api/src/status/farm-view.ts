import type { Draining } from '@steward/shared/api/answers/drain';
import { moderationCommandNames, ownerCommandNames } from '@steward/shared/api/answers/operations';
import type { UnreadFile } from '@steward/shared/api/answers/server';
import { isCommandName } from '@steward/shared/bridge/commands';
import { askedNames } from '@steward/shared/bridge/methods';
import { type BridgeState, isConnected } from '../game/state/bridge-state.ts';
import type { InviteStatus } from '../invites/invite-status.ts';
import type { ListsProblem } from '../moderation/lists-register.ts';
import type { OwnershipView } from '../ownership/ownership.ts';
import type { NewerFiles } from '../store/directory/newer-files.ts';
import type { StateProblem } from '../store/directory/state-directory.ts';
import type { Store } from '../store/store.ts';
import type { StoreProblem } from '../store/tables/store-error.ts';

/** What answers are made from: what the game has told, how the invite code's way stands, and who owns what. */
export interface FarmView {
  /** What the server is called; empty where it has no name. */
  readonly instance: string;
  readonly state: BridgeState;
  readonly invites: InviteStatus;
  readonly owners: OwnershipView;
  readonly lists: ListsProblem | undefined;
  readonly draining: Draining | undefined;
  /** What there is to do about that. */
  readonly drainRemedy: string | undefined;
  readonly newerFiles: readonly UnreadFile[];
  readonly disk: StateProblem | undefined;
  readonly store: StoreProblem | undefined;
  readonly keysLost: StoreProblem | undefined;
  readonly emptySince: Date | undefined;
}

export interface FarmSources {
  readonly instance: string;
  readonly bridge: { readonly state: BridgeState };
  readonly invites: { readonly status: InviteStatus };
  readonly ownership: { readonly view: OwnershipView };
  readonly moderation: { readonly problem: ListsProblem | undefined };
  readonly drains: { readonly standing: Draining | undefined; readonly remedy: string | undefined };
  readonly newerFiles: Pick<NewerFiles, 'all'>;
  readonly disk: { readonly problem: StateProblem | undefined };
  readonly store: Pick<Store, 'problem' | 'keysLost'>;
  readonly emptiness: { readonly since: Date | undefined };
}

/** The view as it is now: another object exactly when one of its parts is. */
export function farmView({
  instance,
  bridge,
  invites,
  ownership,
  moderation,
  drains,
  newerFiles,
  disk,
  store,
  emptiness,
}: FarmSources): () => FarmView {
  const now = (): FarmView => ({
    instance,
    state: bridge.state,
    invites: invites.status,
    owners: ownership.view,
    lists: moderation.problem,
    draining: drains.standing,
    drainRemedy: drains.remedy,
    newerFiles: newerFiles.all,
    disk: disk.problem,
    store: store.problem,
    keysLost: store.keysLost,
    emptySince: emptiness.since,
  });
  let view = now();
  return () => {
    // Asked for at each request: nothing new is made where nothing is new.
    const isSame =
      view.state === bridge.state &&
      view.invites === invites.status &&
      view.owners === ownership.view &&
      view.lists === moderation.problem &&
      view.draining === drains.standing &&
      view.drainRemedy === drains.remedy &&
      view.newerFiles === newerFiles.all &&
      view.disk === disk.problem &&
      view.store === store.problem &&
      view.keysLost === store.keysLost &&
      view.emptySince === emptiness.since;
    if (!isSame) view = now();
    return view;
  };
}

/** What this service does whether or not the game can: the settings' file is its own, and the game takes over what it can. */
const doneHere = [...ownerCommandNames, ...moderationCommandNames, 'applySettings'] as const;

/** What can be asked for now: what the connected game can do, and what this service does itself where it rules. */
export function capabilitiesOf({ link, game, selfHosted }: BridgeState): string[] {
  const ofTheGame = isConnected(link.status) ? (game?.capabilities ?? []).filter(isAskable) : [];
  return [...new Set([...ofTheGame, ...(selfHosted === undefined ? doneHere : [])])].toSorted();
}

function isAskable(name: string): boolean {
  return isCommandName(name) || askedNames.some((asked) => asked === name);
}
