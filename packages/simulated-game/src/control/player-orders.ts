import type { Farm } from '../farm/farm.ts';
import type { Player } from '../players/player.ts';
import { type Order, OrderError, openFarm, UnclearOrder } from './order.ts';
import { oneName, readWords } from './words.ts';

export const leave: Order = forPlayer('leave <name>', 'a player leaves', (player) => player.leave());

export const sleep: Order = forPlayer(
  'sleep <name>',
  'a player goes to bed; when all have, the day ends',
  (player) => player.sleep(),
);

export const say: Order = {
  usage: 'say <name> [--private] <words …>',
  summary: 'a player says something in the chat',
  run(controls, words, caller) {
    const { values, positionals } = readWords(words, { private: { type: 'boolean' } });
    const [name, ...said] = positionals;
    if (name === undefined || said.length === 0)
      throw new UnclearOrder(`usage: npm run farm -- ${say.usage}`);
    const player = onFarm(openFarm(controls), name);
    controls.running.inLoop(() => {
      player.say(said.join(' '), values.private);
      caller.done();
    });
  },
};

function forPlayer(usage: string, summary: string, action: (player: Player) => void): Order {
  return {
    usage,
    summary,
    run(controls, words, caller) {
      const player = onFarm(openFarm(controls), oneName(words, usage));
      controls.running.inLoop(() => {
        action(player);
        caller.done();
      });
    },
  };
}

function onFarm(farm: Farm, name: string): Player {
  const player = farm.company.find(name);
  if (player !== undefined && player.whereabouts !== 'away') return player;
  throw new OrderError(`${name} is not on the farm; npm run farm -- show says who is`);
}
