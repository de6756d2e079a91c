import { quantile } from '@steward/testing/quantile';
import type { Growth } from '../page/growth-row.ts';
import { doubled } from './doubling.ts';
import { farmhandId, largestFarm } from './growing-game.ts';
import { type GrownService, withService } from './grown-service.ts';

const from = 16;
const joins = 16;
/** Of one question. */
const mostSlots = 1_000;
const most = { number: 1 << 17, because: 'no farm has more' };
const firstAccount = 46_265_193_014n;

/** Farmhands of a farm, all owned but one: somebody new asks for the list, and takes that one. */
export function farmhands(): Promise<Growth> {
  return withService(async (service) => {
    const { server } = service;
    let account = firstAccount;
    let owned = 0;
    const grown = await doubled({
      from,
      most,
      step: async (number) => {
        service.game.push({ farmhands: farmhandsOf(number, owned) });
        await known(service, number);
        for (; owned < number - joins; owned += 1) {
          account += 1n;
          await join(service, number, owned, account, false);
        }
        const before = server.cpuMs();
        const took: number[] = [];
        for (let free = number - joins; free < number; free += 1) {
          account += 1n;
          const began = performance.now();
          await join(service, number, free, account, true);
          took.push(performance.now() - began);
        }
        owned = number;
        return {
          number,
          medianMs: quantile(took, 0.5),
          p99Ms: quantile(took, 0.99),
          eachUs: ((server.cpuMs() - before) * 1_000) / (joins * number),
          memoryMb: server.rssMb(),
        };
      },
    });
    return {
      doubled: 'farmhands',
      timed: 'a join: the slots that may be seen, and the approval, on the disk',
      ...grown,
      madeFor: largestFarm,
      breaks: `${grown.end}. One question holds ${mostSlots.toLocaleString('en')} slots at most; the list of a larger farm is asked for in parts.`,
    };
  });
}

async function join(
  { game }: GrownService,
  number: number,
  index: number,
  account: bigint,
  asksForList: boolean,
): Promise<void> {
  const connectionId = `GN_${account}`;
  if (asksForList) {
    const slots = farmhandsOf(number, number - joins);
    for (let first = 0; first < number; first += mostSlots)
      await game.ask('visibleSlots', { connectionId, slots: slots.slice(first, first + mostSlots) });
  }
  const { decision, reason } = await game.ask('mayJoin', { connectionId, slot: farmhandOf(index, false) });
  if (decision !== 'allow') throw new Error(`the join was not allowed: ${String(reason)}`);
}

async function known({ game, read }: GrownService, number: number): Promise<void> {
  for (;;) {
    const { farmhands: there } = (await game.orLost(read('/farmhands'))) as { farmhands: unknown[] };
    if (there.length === number) return;
  }
}

function farmhandsOf(number: number, made: number) {
  return Array.from({ length: number }, (_, index) => farmhandOf(index, index < made));
}

function farmhandOf(index: number, isCustomized: boolean) {
  const name = isCustomized ? `Robin ${index}` : '';
  return { id: farmhandId(index), name, isCustomized, isOnline: false, isAdmin: false };
}
