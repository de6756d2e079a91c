import { crash, fault, freeze, loseLobby, stuckTick, thaw } from './fault-orders.ts';
import type { Order } from './order.ts';
import { howToOrder } from './order-line.ts';
import { join, leave, say, sleep } from './player-orders.ts';
import { follow, save, show } from './watching-orders.ts';

/** Everything that `npm run farm` can ask for. */
export const orders: Readonly<Record<string, Order>> = {
  show,
  follow,
  join,
  say,
  sleep,
  leave,
  save,
  crash,
  freeze,
  'stuck-tick': stuckTick,
  thaw,
  'lose-lobby': loseLobby,
  fault,
};

export function ordersHelp(): string {
  const rows = Object.values(orders).map(({ usage, summary }) => `  ${usage}\n      ${summary}`);
  return `${howToOrder} <order>: talks to a running simulated farm.

${rows.join('\n')}

Exit codes:
  0  done
  1  not done: the player did not get in, the farm refuses it or cannot be reached
  2  the order cannot be understood

The farm is found at FARM_CONTROL, by default .steward/farm/control.sock.
`;
}
