import { NotChecked, RuleBroken } from '../driver/patience.ts';
import type { Rule } from './rule.ts';

export const stopping: readonly Rule[] = [
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
      if ((await stand.bench.exits(stand.patience.comesMs)) === undefined)
        throw new RuleBroken(`the game still runs ${stand.patience.comesMs} ms after its input ended`);
      await stand.drop(true);
    },
  },
  {
    id: 'stop',
    only: 'spawn',
    says: '`stop` saves, answers, and exits with code 0',
    section: 'Commands and claims',
    remedy: 'Claim it, save, answer with both generations, flush, exit.',
    async check(stand) {
      const session = await stand.game();
      if (!session.can('stop')) throw new NotChecked('needs the capability stop');
      const outcome = await session.outcome(session.send('stop', { command: stand.commandId() }), 'stop');
      if (outcome.outcome !== 'applied') throw new RuleBroken(`stop ended ${JSON.stringify(outcome)}`);
      const code = await stand.bench.exits(stand.patience.comesMs);
      if (code === undefined)
        throw new RuleBroken(`the game still runs ${stand.patience.comesMs} ms after stop`);
      if (code !== 0) throw new RuleBroken(`the game ended with ${code}, not with exit code 0`);
      await stand.drop(true);
    },
  },
];
