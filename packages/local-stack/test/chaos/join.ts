import type { FarmOrders } from './farm-orders.ts';

export interface Arrival {
  readonly farmhandId: string;
  readonly connectionId: string;
}

const arrived = /is on the farm as farmhand (\S+), over (\S+)/;

export interface Attempt {
  /** Undefined when the player did not get in. */
  readonly arrival: Arrival | undefined;
  readonly said: string;
}

/** A player tries to join, and hears whether it worked. */
export async function join(
  orders: FarmOrders,
  name: string,
  words: readonly string[],
  farmhandId?: string,
): Promise<Attempt> {
  const wanted = farmhandId === undefined ? [] : [`--farmhand=${farmhandId}`];
  const said = await orders.order('join', name, ...words, ...wanted);
  const [, id, connectionId] = arrived.exec(said) ?? [];
  const arrival =
    id === undefined || connectionId === undefined ? undefined : { farmhandId: id, connectionId };
  return { arrival, said };
}
