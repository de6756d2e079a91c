import { quantile } from '@steward/testing/quantile';
import type { Growth } from '../page/growth-row.ts';
import { doubled } from './doubling.ts';
import { farmhandId, largestFarm } from './growing-game.ts';
import { type GrownService, withService } from './grown-service.ts';

const from = 16;
const pushes = 20;
const most = { number: 1 << 17, because: 'nobody plays with more' };
const firstAccount = 46_265_193_014n;

/** Players on the farm: the game says who is there, and the API answers with it. */
export function players(): Promise<Growth> {
  return withService(async (service) => {
    const { server } = service;
    const grown = await doubled({
      from,
      most,
      step: async (number) => {
        service.game.push({ farmhands: farmhandsOf(number) });
        const before = server.cpuMs();
        const took: number[] = [];
        // At the first, half of them are there for the first time, and each gets the farmhand that they are on.
        for (let push = 0; push < pushes; push += 1) {
          const began = performance.now();
          await shown(service, number, `Robin ${push}`);
          took.push(performance.now() - began);
        }
        return {
          number,
          medianMs: quantile(took, 0.5),
          p99Ms: quantile(took, 0.99),
          eachUs: ((server.cpuMs() - before) * 1_000) / (pushes * number),
          memoryMb: server.rssMb(),
        };
      },
    });
    return {
      doubled: 'players',
      timed: 'from a change in the game to GET /players',
      ...grown,
      madeFor: largestFarm,
      breaks: `${grown.end}.`,
    };
  });
}

async function shown({ game, read }: GrownService, number: number, firstName: string): Promise<void> {
  game.push({ players: playersOf(number, firstName) });
  for (;;) {
    const { players: there } = (await game.orLost(read('/players'))) as { players: { name: string }[] };
    if (there.length === number && there[0]?.name === firstName) return;
  }
}

function playersOf(number: number, firstName: string) {
  return Array.from({ length: number }, (_, index) => ({
    id: farmhandId(index),
    name: index === 0 ? firstName : `Robin ${index}`,
    connectionId: `GN_${firstAccount + BigInt(index)}`,
    isAdmin: false,
  }));
}

function farmhandsOf(number: number) {
  return Array.from({ length: number }, (_, index) => ({
    id: farmhandId(index),
    name: '',
    isCustomized: false,
    isOnline: true,
    isAdmin: false,
  }));
}
