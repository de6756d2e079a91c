import type { BridgeState } from '../bridge/link/bridge-state.ts';
import type { WayPicture } from '../invite-way/picture.ts';
import type { OwnershipView } from '../ownership/ownership.ts';
import type { UnreadFile, UnreadFiles } from '../unread-files.ts';

/** What answers are made from: what the game has told, how the invite code's way stands, and who owns what. */
export interface FarmView {
  readonly state: BridgeState;
  readonly way: WayPicture;
  readonly owners: OwnershipView;
  readonly unread: readonly UnreadFile[];
}

export interface FarmSources {
  readonly bridge: { readonly state: BridgeState };
  readonly inviteWay: { readonly picture: WayPicture };
  readonly ownership: { readonly view: OwnershipView };
  readonly unread: Pick<UnreadFiles, 'all'>;
}

/** The view as it is now: another object exactly when one of its parts is. */
export function farmView({ bridge, inviteWay, ownership, unread }: FarmSources): () => FarmView {
  let view: FarmView = {
    state: bridge.state,
    way: inviteWay.picture,
    owners: ownership.view,
    unread: unread.all,
  };
  return () => {
    // Asked for at each request: nothing new is made where nothing is new.
    const { state } = bridge;
    const { picture: way } = inviteWay;
    const { view: owners } = ownership;
    const { all } = unread;
    const isSame = view.state === state && view.way === way && view.owners === owners && view.unread === all;
    if (!isSame) view = { state, way, owners, unread: all };
    return view;
  };
}
