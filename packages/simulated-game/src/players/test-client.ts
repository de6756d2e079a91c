import type { Client } from './client.ts';
import { destination, dialAddress, dialNetwork } from './dialling.ts';

/**
 * The game without a platform client beside it: a real account and a real ticket, but no user session, which the relay
 * would need. Whatever leads to the relay is redirected to the network's transport.
 */
export const testClient: Client = {
  kind: 'test',
  dial(account, door, wires) {
    if (door.through === 'direct-ip') return dialAddress(wires);
    const to = destination(door, wires);
    return to.ok ? dialNetwork(account, to.value.lobbyId, wires) : to;
  },
};
