import type { BridgeState } from '../bridge/link/bridge-state.ts';
import type { WayPicture } from '../invite-way/picture.ts';

/** What answers about joining are made from: what the game has told, and how the invite code's way stands. */
export interface FarmView {
  readonly state: BridgeState;
  readonly way: WayPicture;
}

interface Sources {
  readonly bridge: { readonly state: BridgeState };
  readonly inviteWay: { readonly picture: WayPicture };
}

/** The view as it is now: another object exactly when one of its parts is. */
export function farmView({ bridge, inviteWay }: Sources): () => FarmView {
  let view: FarmView = { state: bridge.state, way: inviteWay.picture };
  return () => {
    if (view.state !== bridge.state || view.way !== inviteWay.picture)
      view = { state: bridge.state, way: inviteWay.picture };
    return view;
  };
}
