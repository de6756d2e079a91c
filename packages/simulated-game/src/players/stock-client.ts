import type { Client } from './client.ts';
import { destination, dialAddress, dialNetwork, dialRelay } from './dialling.ts';

/** The game as people have it, beside a platform client in which they are logged in. */
export const stockClient: Client = {
  kind: 'stock',
  dial(account, door, wires) {
    if (door.through === 'direct-ip') return dialAddress(wires);
    const to = destination(door, wires);
    if (!to.ok) return to;
    const dial = to.value.prefix === 'S' ? dialRelay : dialNetwork;
    return dial(account, to.value.lobbyId, wires);
  },
};
