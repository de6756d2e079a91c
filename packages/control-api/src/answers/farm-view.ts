import type { BridgeState } from '../bridge/link/bridge-state.ts';
import type { WayPicture } from '../invite-way/picture.ts';
import type { OwnershipView } from '../ownership/ownership.ts';

/** What answers are made from: what the game has told, how the invite code's way stands, and who owns what. */
export interface FarmView {
  readonly state: BridgeState;
  readonly way: WayPicture;
  readonly owners: OwnershipView;
}

export interface FarmSources {
  readonly bridge: { readonly state: BridgeState };
  readonly inviteWay: { readonly picture: WayPicture };
  readonly ownership: { readonly view: OwnershipView };
}

/** The view as it is now: another object exactly when one of its parts is. */
export function farmView({ bridge, inviteWay, ownership }: FarmSources): () => FarmView {
  let view: FarmView = { state: bridge.state, way: inviteWay.picture, owners: ownership.view };
  return () => {
    const { state } = bridge;
    const { picture: way } = inviteWay;
    const { view: owners } = ownership;
    if (view.state !== state || view.way !== way || view.owners !== owners) view = { state, way, owners };
    return view;
  };
}
