import { setTimeout as pause } from 'node:timers/promises';
import type { Dice } from '../chaos/dice.ts';
import { type ChaosFault, deck } from '../chaos/faults.ts';
import { endings } from './entries/dying-writer.ts';
import type { SmallDisk } from './small-disk.ts';
import type { SoakSurroundings } from './surroundings.ts';
import type { Wire } from './wire.ts';

const longestCutMs = 1_500;
const longestFullMs = 2_500;
/** Back and forth within the hours for which keys and outcomes are kept. */
const farthestClockMs = 6 * 60 * 60 * 1_000;

/** What happens around the processes, each until it is over; nobody has to fix it. */
export function surroundingFaults(around: SoakSurroundings): readonly ChaosFault[] {
  const wires = Object.values(around.wires).flatMap((wire) => [cut(wire), stall(wire)]);
  return [
    ...wires,
    full('state', around.disks.state),
    full('session', around.disks.session),
    {
      name: 'database thread killed',
      strike: (_world, dice) => around.gauges.controlApi.order('writer', dice.pick(Object.values(endings))),
    },
    {
      name: 'clock set',
      strike: (_world, dice) => around.setClock(Math.round(farthestClockMs * (2 * dice.next() - 1))),
    },
  ];
}

/** The services and the bot run on; whatever is around them still ends and comes back. */
export function sparesServices({ name }: ChaosFault): boolean {
  return !/^SIG(KILL|TERM) (sidecar|api|discord bot)$/.test(name) && name !== 'ticket refused';
}

/** The sidecar starts again, and renews its token: a second end just then could fall between the new token and the disk. */
export function endsSidecar({ name }: ChaosFault): boolean {
  return /^SIG(KILL|TERM) sidecar$/.test(name) || name === 'ticket refused';
}

export const killsOfAll: readonly ChaosFault[] = deck
  .filter(({ name }) => name.startsWith('SIGKILL'))
  .filter(({ name }, index, all) => all.findIndex((other) => other.name === name) === index);

function cut(wire: Wire): ChaosFault {
  return {
    name: `${wire.name} wire cut`,
    strike: (_world, dice) =>
      whileItLasts(
        () => wire.cut(),
        dice,
        () => wire.fix(),
      ),
  };
}

function stall(wire: Wire): ChaosFault {
  return {
    name: `${wire.name} wire stalled`,
    strike: (_world, dice) =>
      whileItLasts(
        () => wire.stall(),
        dice,
        () => wire.fix(),
      ),
  };
}

async function whileItLasts(begin: () => void, dice: Dice, end: () => void): Promise<void> {
  begin();
  await pause(dice.upTo(longestCutMs));
  end();
}

function full(name: string, disk: SmallDisk): ChaosFault {
  return {
    name: `${name} disk full`,
    async strike(_world, dice) {
      await disk.fill();
      try {
        await pause(dice.upTo(longestFullMs));
      } finally {
        await disk.empty();
      }
    },
  };
}
