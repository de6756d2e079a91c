import type { FarmhandSlot } from '@steward/shared/bridge/state';
import { identityOf, parseConnectionId } from '@steward/shared/connection-id';
import { accepted, refused } from '@steward/shared/parsed';
import { issuerOf } from '../src/networks/app-ticket.ts';
import { accountOf } from '../src/players/clients.ts';
import type { Steward } from '../src/steward/steward.ts';
import { Random } from '../src/time/random.ts';

export const ticketKey = Buffer.alloc(32, 0x5e);

/** A steward for tests: whoever took a slot through a door keeps it, and nobody else is shown or given it. */
export class TownHall implements Steward {
  readonly owners = new Map<string, string>();
  readonly asked: string[] = [];
  /** False: nobody answers, as when the bridge is down. */
  open = true;
  /** False: no ticket is to be had. */
  loggedIn = true;

  visibleSlots: Steward['visibleSlots'] = ({ connectionId, slots }, answer) => {
    this.asked.push('visibleSlots');
    if (!this.open) return answer(closed);
    const mine = slots.filter((slot) => this.#mayTake(connectionId, slot));
    answer(accepted({ farmhandIds: mine.map(({ id }) => id) }));
  };

  mayJoin: Steward['mayJoin'] = ({ connectionId, slot }, answer) => {
    this.asked.push('mayJoin');
    if (!this.open) return answer(closed);
    if (!this.#mayTake(connectionId, slot)) return answer(accepted({ decision: 'refuse' }));
    const identity = doorKey(connectionId);
    if (identity !== undefined) this.owners.set(slot.id, identity);
    answer(accepted({ decision: 'allow' }));
  };

  lobbyVisibility: Steward['lobbyVisibility'] = ({ site, requested }, answer) => {
    this.asked.push(`lobbyVisibility ${site} ${requested}`);
    answer(this.open ? accepted('public') : closed);
  };

  appTicket: Steward['appTicket'] = (answer) => {
    this.asked.push('appTicket');
    if (!this.open) return answer(closed);
    if (!this.loggedIn) return answer(refused('the sidecar is not logged in'));
    const host = accountOf('the host').platformId;
    const ticket = issuerOf(ticketKey, new Random('host'))(host).toString('base64');
    answer(accepted({ ticket, platformId: host.toString() }));
  };

  #mayTake(connectionId: string, { id, isCustomized }: FarmhandSlot): boolean {
    const owner = this.owners.get(id);
    if (owner !== undefined && isCustomized) return owner === doorKey(connectionId);
    return !isCustomized || doorKey(connectionId) === undefined;
  }
}

const closed = refused('nobody answers');

function doorKey(connectionId: string): string | undefined {
  const connection = parseConnectionId(connectionId);
  const identity = connection.ok ? identityOf(connection.value) : undefined;
  return identity === undefined ? undefined : `${identity.space} ${identity.id}`;
}
