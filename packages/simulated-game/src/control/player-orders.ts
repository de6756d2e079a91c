import { parseUint64 } from '@steward/shared/ids/uint64';
import { inviteCode } from '@steward/shared/invite-code';
import type { Farm } from '../farm/farm.ts';
import { type ClientKind, clientKinds } from '../players/client.ts';
import type { Door } from '../players/door.ts';
import type { Player } from '../players/player.ts';
import { type Order, OrderError, openFarm } from './order.ts';
import { oneName, readWords } from './words.ts';

const joinUsage =
  'join <name> [--client stock|test|direct-ip] [--friends | --code <code> | --ip] [--quit] [--farmhand <id>] [--declare <digits>]';

export const join: Order = {
  usage: joinUsage,
  summary:
    'a player joins. --quit: and thinks better of it in the middle of creation; --farmhand: claims this one, offered or not; --declare: claims to be this network account',
  run(controls, words, caller) {
    const { values, positionals } = readWords(words, {
      client: { type: 'string' },
      friends: { type: 'boolean' },
      code: { type: 'string' },
      ip: { type: 'boolean' },
      quit: { type: 'boolean' },
      farmhand: { type: 'string' },
      declare: { type: 'string' },
    });
    const name = oneName(positionals, joinUsage);
    const farm = openFarm(controls);
    const player = farm.company.player(name, clientKind(values.client, values.ip));
    if (player.whereabouts !== 'away') throw new OrderError(`${name} is ${player.whereabouts} already`);
    const door = doorOf(values, player, farm);
    const stop = farm.events.watch(({ event }) => {
      const line = arrival(event, player);
      if (line === undefined) return;
      stop();
      caller.print(line);
      caller.done();
    });
    caller.onGone(stop);
    const options = {
      quitInCreation: values.quit ?? false,
      ...(values.farmhand === undefined ? {} : { farmhandId: values.farmhand }),
      ...(values.declare === undefined ? {} : { declaredStamp: networkAccount(values.declare) }),
    };
    controls.running.inLoop(() => player.join(door, options));
  },
};

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
    if (name === undefined || said.length === 0) throw new OrderError(`usage: npm run farm -- ${say.usage}`);
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

function clientKind(client: string | undefined, ip: boolean | undefined): ClientKind {
  if (client === undefined) return ip === true ? 'direct-ip' : 'stock';
  const kind = clientKinds.find((kind) => kind === client);
  if (kind !== undefined) return kind;
  throw new OrderError(`there is no client "${client}": it is one of ${clientKinds.join(', ')}`);
}

function networkAccount(digits: string): string {
  const read = parseUint64(digits);
  if (read.ok) return read.value.toString();
  throw new OrderError(`--declare ${read.reason}`);
}

/** The door that was asked for, or the one that this kind of client would take. */
function doorOf(
  { friends, code, ip }: { friends?: boolean; code?: string; ip?: boolean },
  player: Player,
  farm: Farm,
): Door {
  if (Number(friends ?? false) + Number(ip ?? false) + Number(code !== undefined) > 1) {
    throw new OrderError('a player comes through one door: --friends, --code or --ip');
  }
  if (friends === true) return { through: 'friends' };
  if (code !== undefined) return { through: 'code', code };
  if (ip === true || player.clientKind === 'direct-ip') return { through: 'direct-ip' };
  const { lobby } = farm.hosting;
  if (lobby === undefined)
    throw new OrderError('the farm has no invite code yet; npm run farm -- show says why');
  return { through: 'code', code: inviteCode(player.clientKind === 'stock' ? 'S' : 'G', lobby.rawId) };
}

function arrival(event: Parameters<Parameters<Farm['events']['watch']>[0]>[0]['event'], player: Player) {
  switch (event.type) {
    case 'joined':
      if (event.connectionId !== player.connectionId) return undefined;
      return `${player.name} is on the farm as farmhand ${event.farmhandId}, over ${event.connectionId}`;
    case 'refused':
      if (event.connectionId !== player.connectionId) return undefined;
      return `${player.name} was turned away: ${event.reason}`;
    case 'disconnected':
      if (event.connectionId !== player.connectionId) return undefined;
      return `${player.name} went away: ${event.reason}`;
    case 'crashed':
      return `${player.name} lost the connection: the farm crashed`;
    case 'dial-failed':
      return event.player === player.name ? `${player.name} cannot connect: ${event.reason}` : undefined;
    default:
      return undefined;
  }
}
