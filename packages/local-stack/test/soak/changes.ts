import type { Farm, WriteOptions } from '@steward/client';
import type { Dice } from '../chaos/dice.ts';

const earliest = 6;
const hours = 14;
const mostFps = 60;

/** Something that a script changes, however often it is asked for: under one key it is one deed. */
export interface Change {
  readonly text: string;
  readonly ask: (farm: Farm, options: WriteOptions) => Promise<{ readonly operationId?: string }>;
}

const changes: readonly ((dice: Dice) => Change)[] = [
  (dice) => {
    const value = (earliest + Math.floor(dice.upTo(hours))) * 100;
    return { text: `the time, to ${value}`, ask: (farm, options) => farm.setTime({ value }, options) };
  },
  (dice) => {
    const fps = Math.floor(dice.upTo(mostFps));
    return { text: `rendering, to ${fps}`, ask: (farm, options) => farm.setRendering({ fps }, options) };
  },
  (dice) => {
    const verboseLogging = dice.next() < 0.5;
    return {
      text: `verboseLogging, to ${verboseLogging}`,
      ask: (farm, options) => farm.changeSettings({ verboseLogging }, options),
    };
  },
  (dice) => {
    const name = `Player0${Math.floor(dice.upTo(3))}`;
    return { text: `${name}, to an admin`, ask: (farm, options) => farm.grantAdmin({ name }, options) };
  },
  (dice) => {
    const name = `Player1${Math.floor(dice.upTo(3))}`;
    const ask: Change['ask'] = (farm, options) => farm.deleteFarmhand({ name, dryRun: true }, options);
    return { text: `${name}, to nobody, tried`, ask };
  },
  () => ({
    text: 'Nobody, to nobody',
    ask: (farm, options) => farm.deleteFarmhand({ name: 'Nobody' }, options),
  }),
];

/** Something that a script changes, and that keeps nobody from playing. */
export function randomChange(dice: Dice): Change {
  return dice.pick(changes)(dice);
}
