import type { Clock } from '@steward/service-kit/clock';
import type { Log } from '@steward/service-kit/log/log';
import type { GameBridge } from '../../../src/game/game-bridge.ts';
import { InviteWay } from '../../../src/invites/invite-way.ts';
import { TicketDesk } from '../../../src/invites/ticket-desk.ts';

/** The way of a server whose PLATFORM_AUTH_URL is empty: what codes there are, the game has by itself. */
export function wayWithoutSidecar(bridge: GameBridge, clock: Clock, log: Log): InviteWay {
  return new InviteWay({
    ...{ bridge, clock, log },
    sidecar: undefined,
    tickets: new TicketDesk(undefined),
    random: () => 0,
  });
}
