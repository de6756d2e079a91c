import { type CommandName, commands } from '@steward/shared/bridge/commands';
import { firstIssue } from '@steward/shared/bridge/rpc-message';
import type { GameSettings } from '@steward/shared/bridge/settings';
import { accepted, type Parsed, refused } from '@steward/shared/parsed';
import type { Farm } from '../farm/farm.ts';
import {
  applied,
  everyone,
  farmhandsOf,
  findTarget,
  type GameCommand,
  neverRefused,
  notApplied,
  type ParamsOf,
  whilePlaying,
  whileSaving,
} from './game-command.ts';

const setTime: GameCommand<'setTime'> = {
  refusal: whileSaving,
  apply(farm, { value }, done) {
    const before = farm.world.state.timeOfDay;
    farm.dayCycle.setTime(value);
    done(applied({ timeOfDay: before }, { timeOfDay: value }));
  },
};

const setRenderRate: GameCommand<'setRenderRate'> = {
  refusal: neverRefused,
  apply(farm, { fps }, done) {
    const before = farm.renderRate;
    farm.setRenderRate(fps);
    done(applied({ fps: before }, { fps }));
  },
};

const sendChat: GameCommand<'sendChat'> = {
  refusal: neverRefused,
  apply(farm, { author, message }, done) {
    farm.chat.fromOutside(author, message);
    done(applied({}, {}));
  },
};

const announce: GameCommand<'announce'> = {
  refusal: neverRefused,
  apply(farm, { message }, done) {
    farm.chat.announce(message);
    done(applied({}, {}));
  },
};

const kick: GameCommand<'kick'> = {
  refusal(farm, { target }) {
    const found = findTarget(target, farmhandsOf(farm));
    if ('refusal' in found) return found.refusal;
    return farm.sessions.of(found.person.id) === undefined ? offline(found.person.name) : undefined;
  },
  apply(farm, { target, reason }, done) {
    const found = findTarget(target, farmhandsOf(farm));
    if ('refusal' in found) return done(found.refusal);
    const { person } = found;
    farm.sendAway(person.id, reason);
    done(applied({ isOnline: true }, { isOnline: false }, person));
  },
};

const applySettings: GameCommand<'applySettings'> = {
  refusal: whileSaving,
  apply(farm, { settings }: { readonly settings: GameSettings }, done) {
    const before = farm.settings;
    farm.applySettings(settings);
    done(applied({ server: before }, { server: farm.settings }));
  },
};

const linkLobby: GameCommand<'linkLobby'> = {
  refusal: (farm) =>
    farm.hosting.lobby === undefined
      ? notApplied('not-found', 'The farm has no lobby on the cross-platform network')
      : undefined,
  apply(farm, { platformLobbyId }, done) {
    const before = farm.hosting.lobby?.platformLobbyId;
    farm.hosting.link(platformLobbyId);
    done(applied(link(before), link(platformLobbyId)));
  },
};

const save: GameCommand<'save'> = {
  refusal: whilePlaying,
  apply(farm, _params, done) {
    const before = farm.world.state.generation;
    // The outcome goes into the journal, and so into the very save that it speaks of.
    farm.dayCycle.saveNow((saveGeneration) => done(applied({ saveGeneration: before }, { saveGeneration })));
  },
};

/** The outcome goes into the journal of the farm that there is now, and into its first save from here. */
function savedAs(farm: Farm, before: string, done: Parameters<GameCommand<'newFarm'>['apply']>[2]): void {
  const { farmId } = farm.world.state;
  farm.dayCycle.saveNow(() => done(applied({ farmId: before }, { farmId })));
}

const newFarm: GameCommand<'newFarm'> = {
  refusal: whilePlaying,
  apply(farm, { game }, done) {
    const { farmId } = farm.world.state;
    farm.found(game);
    savedAs(farm, farmId, done);
  },
};

const loadFarm: GameCommand<'loadFarm'> = {
  refusal(farm, { farmId }) {
    return farm.world.saves.some(({ state }) => state.farmId === farmId)
      ? whilePlaying(farm)
      : notApplied('not-found', `There is no save ${farmId}`);
  },
  apply(farm, params, done) {
    const { farmId } = farm.world.state;
    farm.goTo(params.farmId);
    savedAs(farm, farmId, done);
  },
};

/** Where somebody plays the day is lost. What comes after the outcome, the end of the program, is the program's. */
const stop: GameCommand<'stop'> = {
  refusal: neverRefused,
  apply(farm, params, done) {
    const { generation: saveGeneration } = farm.world.state;
    if (farm.dayCycle.maySave) save.apply(farm, params, done);
    else done(applied({ saveGeneration }, { saveGeneration }));
  },
};

const grantAdmin: GameCommand<'grantAdmin'> = {
  refusal(farm, { target }) {
    const found = findTarget(target, everyone(farm));
    return 'refusal' in found ? found.refusal : whileSaving(farm);
  },
  apply(farm, { target }, done) {
    const found = findTarget(target, everyone(farm));
    if ('refusal' in found) return done(found.refusal);
    const { person } = found;
    const before = isAdmin(farm, person.id);
    farm.admins.grant(person.id);
    done(applied({ isAdmin: before }, { isAdmin: true }, person));
  },
};

const deleteFarmhand: GameCommand<'deleteFarmhand'> = {
  refusal(farm, { target }) {
    const found = findTarget(target, farmhandsOf(farm));
    if ('refusal' in found) return found.refusal;
    if (farm.sessions.of(found.person.id) !== undefined) return online(found.person.name);
    return whileSaving(farm);
  },
  apply(farm, params, done) {
    const found = findTarget(params.target, farmhandsOf(farm));
    if ('refusal' in found) return done(found.refusal);
    farm.slots.delete(found.person.id);
    done(applied({ exists: true }, { exists: false }, found.person));
  },
};

const clearStamp: GameCommand<'clearStamp'> = {
  refusal(farm, params) {
    return slotOf(farm, params) === undefined
      ? notApplied('not-found', `There is no farmhand ${params.farmhandId}`)
      : whileSaving(farm);
  },
  apply(farm, params, done) {
    const slot = slotOf(farm, params);
    const before = slot?.stamp === undefined ? {} : { stamp: slot.stamp };
    delete slot?.stamp;
    done(applied(before, {}));
  },
};

const all: { readonly [Name in CommandName]: GameCommand<Name> } = {
  setRenderRate,
  setTime,
  grantAdmin,
  deleteFarmhand,
  clearStamp,
  sendChat,
  announce,
  kick,
  applySettings,
  linkLobby,
  newFarm,
  loadFarm,
  save,
  stop,
};

/** A command with its params, ready to be asked for a refusal and to be applied. */
export interface BoundCommand {
  readonly name: CommandName;
  readonly refusal: (farm: Farm) => ReturnType<GameCommand<CommandName>['refusal']>;
  readonly apply: (farm: Farm, done: Parameters<GameCommand<CommandName>['apply']>[2]) => void;
}

/** Binds a command to what came over the wire; the reason of a refusal says what is wrong with it. */
export function bindCommand<Name extends CommandName>(name: Name, params: unknown): Parsed<BoundCommand> {
  const read = commands[name].params.safeParse(params);
  if (!read.success) return refused(`${name}: ${firstIssue(read.error)}`);
  const command: GameCommand<Name> = all[name];
  // The schema of a command's name is the schema of its params; the compiler cannot follow the index so far.
  const bound = read.data as ParamsOf<Name>;
  return accepted({
    name,
    refusal: (farm) => command.refusal(farm, bound),
    apply: (farm, done) => command.apply(farm, bound, done),
  });
}

function link(platformLobbyId: string | undefined): { platformLobbyId?: string } {
  return platformLobbyId === undefined ? {} : { platformLobbyId };
}

function isAdmin({ world }: Farm, id: string): boolean {
  return id === world.state.host.id || world.state.admins.includes(id);
}

function online(name: string) {
  return notApplied(
    'online',
    `${name === '' ? 'The farmhand' : name} is on the farm; wait until they have left`,
  );
}

function offline(name: string) {
  return notApplied('offline', `${name === '' ? 'The player' : name} is not on the farm`);
}

function slotOf(farm: Farm, { farmhandId }: ParamsOf<'clearStamp'>) {
  return farm.slots.find(farmhandId);
}
