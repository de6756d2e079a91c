import { parseInt64, parseUint64 } from '@steward/shared/ids';
import { inviteCode } from '@steward/shared/invite-code';
import type { Parsed } from '@steward/shared/parsed';
import type { FarmEvent } from '../events/farm-event.ts';
import type { Farm } from '../farm/farm.ts';
import { type ClientKind, clientKinds, type Door } from '../players/clients.ts';
import type { JoinOptions, Player } from '../players/player.ts';
import { type Order, OrderError, oneName, openFarm, readWords, UnclearOrder } from './order.ts';
import { howToOrder } from './order-line.ts';

const joinUsage =
  'join <name> [--client stock|test|direct-ip] [--friends | --code <code> | --ip] [--quit] [--farmhand <id>] [--declare <digits>] [--from <address>]';

interface Values {
  readonly client?: string;
  readonly friends?: boolean;
  readonly code?: string;
  readonly ip?: boolean;
  readonly quit?: boolean;
  readonly farmhand?: string;
  readonly declare?: string;
  readonly from?: string;
}

export const join: Order = {
  usage: joinUsage,
  summary:
    'a player joins, with the client stock, or direct-ip with --ip, unless you name another. --quit: leaves during creation; --farmhand: claims this one, offered or not; --declare: claims to be this network account; --from: connects by IP from this address',
  run(controls, words, caller) {
    const { values, positionals } = readWords(words, {
      client: { type: 'string' },
      friends: { type: 'boolean' },
      code: { type: 'string' },
      ip: { type: 'boolean' },
      quit: { type: 'boolean' },
      farmhand: { type: 'string' },
      declare: { type: 'string' },
      from: { type: 'string' },
    });
    const name = oneName(positionals, joinUsage);
    const kind = clientKind(values);
    const options = joinOptions(values);
    const doorOn = doorOf(values, kind);
    const farm = openFarm(controls);
    const door = doorOn(farm);
    const player = farm.players.called(name, kind);
    if (player.whereabouts !== 'away') throw new OrderError(`${name} is ${player.whereabouts} already`);
    const stop = farm.events.watch(({ event }) => {
      const line = outcome(event, player);
      if (line === undefined) return;
      stop();
      caller.print(line);
      if (event.type === 'joined') caller.done();
      else caller.failed();
    });
    caller.onGone(stop);
    controls.running.inLoop(() => player.join(door, options));
  },
};

function clientKind({ client, ip }: Values): ClientKind {
  if (client === undefined) return ip === true ? 'direct-ip' : 'stock';
  const kind = clientKinds.find((kind) => kind === client);
  if (kind !== undefined) return kind;
  throw new UnclearOrder(`there is no client "${client}": it is one of ${clientKinds.join(', ')}`);
}

function joinOptions({ quit = false, farmhand, declare, from }: Values): JoinOptions {
  return {
    quitInCreation: quit,
    ...(farmhand === undefined ? {} : { farmhandId: idText('farmhand', farmhand, parseInt64) }),
    ...(declare === undefined ? {} : { declaredStamp: idText('declare', declare, parseUint64) }),
    ...(from === undefined ? {} : { address: from }),
  };
}

/** As everybody writes it, so that equal ids are equal texts. */
function idText(option: string, text: string, parse: (text: string) => Parsed<bigint>): string {
  const read = parse(text);
  if (read.ok) return read.value.toString();
  throw new UnclearOrder(`--${option} ${read.reason}: "${text}"`);
}

/** The door that was asked for, or the one that this kind of client would take once the farm is open. */
function doorOf({ friends = false, code, ip = false }: Values, kind: ClientKind): (farm: Farm) => Door {
  if (Number(friends) + Number(ip) + Number(code !== undefined) > 1) {
    throw new UnclearOrder('use only one of --friends, --code and --ip');
  }
  if (friends) return () => ({ through: 'friends' });
  if (code !== undefined) return () => ({ through: 'code', code });
  if (ip || kind === 'direct-ip') return () => ({ through: 'direct-ip' });
  return ({ hosting: { lobby } }) => {
    if (lobby === undefined)
      throw new OrderError(`the farm has no invite code yet; ${howToOrder} show says why`);
    return { through: 'code', code: inviteCode(kind === 'stock' ? 'S' : 'G', lobby.rawId) };
  };
}

function outcome(event: FarmEvent, player: Player): string | undefined {
  switch (event.type) {
    case 'joined':
      if (event.connectionId !== player.connectionId) return undefined;
      return `${player.name} is on the farm as farmhand ${event.farmhandId}, over ${event.connectionId}`;
    case 'refused':
      if (event.connectionId !== player.connectionId) return undefined;
      return `${player.name} was refused: ${event.reason}`;
    case 'disconnected':
      if (event.connectionId !== player.connectionId) return undefined;
      return `${player.name} left: ${event.reason}`;
    case 'crashed':
      return `${player.name} lost the connection: the farm crashed`;
    case 'dial-failed':
      return event.player === player.name ? `${player.name} cannot connect: ${event.reason}` : undefined;
    default:
      return undefined;
  }
}

export const leave: Order = forPlayer('leave <name>', 'a player leaves', (player) => player.leave());

export const sleep: Order = forPlayer(
  'sleep <name>',
  'a player goes to bed; when all have, the day ends',
  (player) => player.sleep(),
  awake,
);

export const say: Order = {
  usage: 'say <name> [--private] <words …>',
  summary: 'a player says something in the chat',
  run(controls, words, caller) {
    const { values, positionals } = readWords(words, { private: { type: 'boolean' } });
    const [name, ...said] = positionals;
    if (name === undefined || said.length === 0) throw new UnclearOrder(`usage: ${howToOrder} ${say.usage}`);
    const player = playing(openFarm(controls), name);
    controls.running.inLoop(() => {
      player.say(said.join(' '), values.private);
      caller.done();
    });
  },
};

function forPlayer(
  usage: string,
  summary: string,
  action: (player: Player) => void,
  find: (farm: Farm, name: string) => Player = onFarm,
): Order {
  return {
    usage,
    summary,
    run(controls, words, caller) {
      const player = find(openFarm(controls), oneName(words, usage));
      controls.running.inLoop(() => {
        action(player);
        caller.done();
      });
    },
  };
}

function onFarm(farm: Farm, name: string): Player {
  const player = farm.players.find(name);
  if (player !== undefined && player.whereabouts !== 'away') return player;
  throw new OrderError(`${name} is not on the farm; ${howToOrder} show says who is`);
}

/** Who has just joined makes a character first, and can do nothing else meanwhile. */
function playing(farm: Farm, name: string): Player {
  const player = onFarm(farm, name);
  if (player.whereabouts === 'playing') return player;
  throw new OrderError(
    `${name} is still ${player.whereabouts}; try again when ${howToOrder} show says “playing”`,
  );
}

function awake(farm: Farm, name: string): Player {
  if (farm.dayCycle.isSaving) throw new OrderError('the farm is saving; try again in the morning');
  return playing(farm, name);
}
