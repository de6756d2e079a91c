import type { Dice } from '../chaos/dice.ts';

const earliest = 6;
const hours = 14;
const mostFps = 60;

const changes: readonly ((dice: Dice) => string)[] = [
  (dice) => `POST /time?value=${(earliest + Math.floor(dice.upTo(hours))) * 100}`,
  (dice) => `POST /rendering?fps=${Math.floor(dice.upTo(mostFps))}`,
  (dice) => `POST /settings?verboseLogging=${dice.next() < 0.5}`,
  (dice) => `POST /roles/admin?name=Player0${Math.floor(dice.upTo(3))}`,
  (dice) => `DELETE /farmhands?dryRun=true&name=Player1${Math.floor(dice.upTo(3))}`,
  () => 'DELETE /farmhands?name=Nobody',
];

/** Something that a script changes, and that keeps nobody from playing. */
export function randomChange(dice: Dice): string {
  return dice.pick(changes)(dice);
}
