import type { Farm } from '../farm/farm.ts';
import { applied, type GameCommand, notApplied, type ParamsOf, whileSaving } from './game-command.ts';
import { everyone, farmhandsOf, findTarget } from './target.ts';

export const grantAdmin: GameCommand<'grantAdmin'> = {
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

export const deleteFarmhand: GameCommand<'deleteFarmhand'> = {
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

export const clearStamp: GameCommand<'clearStamp'> = {
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

function isAdmin({ world }: Farm, id: string): boolean {
  return id === world.state.host.id || world.state.admins.includes(id);
}

function online(name: string) {
  return notApplied(
    'online',
    `${name === '' ? 'The farmhand' : name} is on the farm; wait until they have left`,
  );
}

function slotOf(farm: Farm, { farmhandId }: ParamsOf<'clearStamp'>) {
  return farm.slots.find(farmhandId);
}
