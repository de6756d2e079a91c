import type { CommandOutcome } from '@steward/shared/bridge/outcome';
import { NotChecked, RuleBroken } from '../driver/patience.ts';
import type { Session } from '../driver/session.ts';
import type { Rule } from './rule.ts';

/** How a game saves, and how it goes. */
export const stopping: readonly Rule[] = [
  {
    id: 'save',
    says: '`save` saves while nobody plays, and is refused as players-online while somebody does',
    section: 'Commands and claims',
    remedy:
      'Check who plays before you claim; answer with the generation before and after, the second one higher by one.',
    async check(stand) {
      const session = await stand.farm();
      if (!session.can('save')) throw new NotChecked('needs the capability save');
      const wasPlayed = await isPlayed(session);
      const outcome = await session.outcome(session.send('save', { command: stand.commandId() }), 'save');
      if (wasPlayed !== (await isPlayed(session)))
        throw new NotChecked('somebody came or went meanwhile; try again while nobody plays');
      const isRefused = outcome.outcome === 'refused' && outcome.code === 'players-online';
      if (wasPlayed ? !isRefused : savesMade(outcome) !== 1)
        throw new RuleBroken(
          `save ended ${JSON.stringify(outcome)} while ${wasPlayed ? 'somebody' : 'nobody'} played`,
        );
    },
  },
  {
    id: 'input-end',
    only: 'spawn',
    says: 'A game whose standard input has ended exits',
    section: 'Connecting',
    remedy:
      'The control API is gone: save what you must and exit. Otherwise a second game is started beside this one.',
    async check(stand) {
      await stand.game();
      stand.bench.endInput();
      if ((await stand.bench.exits(stand.patience.exitsMs)) === undefined)
        throw new RuleBroken(`the game still runs ${stand.patience.exitsMs} ms after its input ended`);
      await stand.drop(true);
    },
  },
  {
    id: 'stop',
    only: 'spawn',
    says: '`stop` saves while nobody plays, answers, and exits with code 0',
    section: 'Commands and claims',
    remedy:
      'Claim it, save unless somebody plays, answer with both generations (the same if it did not save), flush, exit.',
    async check(stand) {
      const session = await stand.farm();
      if (!session.can('stop')) throw new NotChecked('needs the capability stop');
      const wasPlayed = await isPlayed(session);
      const outcome = await session.outcome(session.send('stop', { command: stand.commandId() }), 'stop');
      const saves = savesMade(outcome);
      if (saves === undefined || (!wasPlayed && saves !== 1))
        throw new RuleBroken(
          `stop ended ${JSON.stringify(outcome)} while ${wasPlayed ? 'somebody' : 'nobody'} played`,
        );
      const code = await stand.bench.exits(stand.patience.exitsMs);
      if (code === undefined)
        throw new RuleBroken(`the game still runs ${stand.patience.exitsMs} ms after stop`);
      if (code !== 0) throw new RuleBroken(`the game ended with ${code}, not with exit code 0`);
      await stand.drop(true);
    },
  },
];

export async function isPlayed(session: Session): Promise<boolean> {
  await session.until(() => session.state.players !== undefined, 'no section `players` came');
  return session.state.players?.length !== 0;
}

/** By how much the generation has grown; undefined where the command was not applied. */
function savesMade(outcome: CommandOutcome): number | undefined {
  if (outcome.outcome !== 'applied') return undefined;
  return Number(outcome.after['saveGeneration']) - Number(outcome.before['saveGeneration']);
}
