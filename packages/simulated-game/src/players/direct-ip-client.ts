import { refused } from '@steward/shared/parsed';
import type { Client } from './client.ts';
import { dialAddress } from './dialling.ts';

/** The game without any account: it knows an address and nothing else. */
export const directIpClient: Client = {
  kind: 'direct-ip',
  dial(_account, door, wires) {
    if (door.through === 'direct-ip') return dialAddress(wires);
    return refused('a direct-IP client has neither friends nor a use for invite codes');
  },
};
