import type { Growth } from '../page/growth-row.ts';
import { depot, depotFiles } from './depot.ts';
import { farmhands } from './farmhands.ts';
import { players } from './players.ts';
import { requests } from './requests.ts';
import { sockets } from './sockets.ts';

export const growthName = 'growth';

/** What is doubled, by name, in the order of the page. */
export const growths: Readonly<Record<string, () => Promise<Growth>>> = {
  requests,
  sockets,
  players,
  farmhands,
  'depot size': depot,
  'depot files': depotFiles,
};

/** Each as soon as it is measured. */
export async function* growth(): AsyncGenerator<Growth> {
  for (const [name, measure] of Object.entries(growths)) {
    console.error(`growth: doubling ${name}`);
    yield await measure();
  }
}
