import { type AskedName, type AskedResult, requestsOfControlApi } from '@steward/shared/bridge/methods';
import type { CommandOutcome } from '@steward/shared/bridge/outcome';
import { defaultSettings } from '@steward/shared/bridge/settings';
import { sectionNames } from '@steward/shared/bridge/state';
import { NotChecked, RuleBroken } from '../driver/patience.ts';
import type { Session } from '../driver/session.ts';
import type { Stand } from '../driver/stand.ts';
import { entries } from './journal.ts';
import type { Rule } from './rule.ts';
import { isPlayed } from './stopping.ts';

const section = 'Farms and screenshots';

const pngBegins = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Which farms there are, and how the game goes on to another; what it shows. */
export const farms: readonly Rule[] = [
  {
    id: 'farms',
    says: '`farms` lists every save once, and of them the one as loaded that the section `farm` names',
    section,
    remedy:
      'Read the list from where your saves are; the id of a save is the `farmId` that it has when it is loaded.',
    async check(stand) {
      const session = await stand.farm();
      const listed = await ask(session, 'farms');
      const loaded = await loadedId(session);
      const said = listed.farms.filter(({ isLoaded }) => isLoaded).map(({ id }) => id);
      if (said.length !== 1 || said[0] !== loaded)
        throw new RuleBroken(
          `it calls ${said.join(', ') || 'none'} loaded, and the section farm names ${loaded}`,
        );
      if (new Set(listed.farms.map(({ id }) => id)).size !== listed.farms.length)
        throw new RuleBroken('it lists a save twice');
    },
  },
  {
    id: 'new-farm',
    says: '`newFarm` creates a farm with its own id, sends its complete state, and has the command in its journal',
    section,
    remedy:
      'Create the farm, load it, send `farm` and then every other section, and write the command into the journal of the new farm before you answer.',
    async check(stand) {
      const session = await unplayed(stand, 'newFarm');
      const first = await loadedId(session);
      await found(stand, session);
      if (session.can('loadFarm')) await goTo(stand, session, first);
    },
  },
  {
    id: 'load-farm',
    says: '`loadFarm` loads the save that it names, sends its complete state, and refuses one that does not exist',
    section,
    remedy:
      'Refuse an unknown id with not-found before you claim; load the save, send `farm` and then every other section again, even if it is the same.',
    async check(stand) {
      const session = await unplayed(stand, 'loadFarm');
      const nowhere = await session.outcome(
        session.send('loadFarm', { command: stand.commandId(), farmId: 'Nowhere_1' }),
        'loadFarm',
      );
      if (nowhere.outcome !== 'refused' || nowhere.code !== 'not-found')
        throw new RuleBroken(`loading a save that does not exist ended ${JSON.stringify(nowhere)}`);
      const first = await loadedId(session);
      const others = (await ask(session, 'farms')).farms.filter(({ isLoaded }) => !isLoaded);
      await goTo(stand, session, others[0]?.id ?? (await found(stand, session)));
      await goTo(stand, session, first);
    },
  },
  {
    id: 'screenshot',
    says: '`screenshot` is answered with a PNG that fits into a line',
    section,
    remedy: 'Encode the picture as PNG, make it smaller until it is below 700 KiB, and send it as base64.',
    async check(stand) {
      const { png } = await ask(await stand.game(), 'screenshot');
      if (!Buffer.from(png, 'base64').subarray(0, pngBegins.length).equals(pngBegins))
        throw new RuleBroken('it did not send a PNG');
    },
  },
];

async function ask<Name extends AskedName>(session: Session, name: Name): Promise<AskedResult<Name>> {
  if (!session.can(name)) throw new NotChecked(`needs the capability ${name}`);
  const { result, error } = await session.answer(session.send(name, {}), name, session.patience.limits.asked);
  const parsed = requestsOfControlApi[name].result.safeParse(result);
  // The schema of a name is the schema of its result; the compiler cannot follow the index so far.
  if (parsed.success) return parsed.data as AskedResult<Name>;
  const what = error === undefined ? JSON.stringify(result)?.slice(0, 200) : `the error ${error.code}`;
  throw new RuleBroken(`${name} was answered with ${what}`);
}

async function unplayed(stand: Stand, command: 'newFarm' | 'loadFarm'): Promise<Session> {
  const session = await stand.farm();
  if (!session.can(command)) throw new NotChecked(`needs the capability ${command}`);
  if (await isPlayed(session)) throw new NotChecked('somebody is playing; try again when nobody is');
  return session;
}

async function loadedId(session: Session): Promise<string> {
  await session.until(() => session.state.farm !== undefined, 'no section `farm` came');
  if (session.state.farm) return session.state.farm.farmId;
  throw new NotChecked('no farm is loaded');
}

/** Makes a farm, and gives its id. */
async function found(stand: Stand, session: Session): Promise<string> {
  if (!session.can('newFarm')) throw new NotChecked('there is no other save, and no capability newFarm');
  const before = await loadedId(session);
  const game = { ...defaultSettings.game, farmName: 'Conformance' };
  const id = await changed(stand, session, 'newFarm', { game });
  if (id === before) throw new RuleBroken(`the farm is still ${id} after newFarm`);
  return id;
}

async function goTo(stand: Stand, session: Session, farmId: string): Promise<void> {
  const id = await changed(stand, session, 'loadFarm', { farmId });
  if (id !== farmId) throw new RuleBroken(`the farm is ${id} after loadFarm of ${farmId}`);
}

/** The farm that is loaded then, in all its sections and in the journal. */
async function changed(
  stand: Stand,
  session: Session,
  name: 'newFarm' | 'loadFarm',
  params: Readonly<Record<string, unknown>>,
): Promise<string> {
  session.state = {};
  const command = stand.commandId();
  const outcome = await session.outcome(session.send(name, { command, ...params }), name);
  const id = named(name, outcome);
  await session.until(
    () => sectionNames.every((each) => session.state[each] !== undefined),
    `not every section came again after ${name}, with \`farm\` or after it`,
  );
  const shown = await loadedId(session);
  if (shown !== id)
    throw new RuleBroken(`${name} ended with farm ${id}, and the section farm names ${shown}`);
  const [entry] = await entries(session, [{ command, name }]);
  if (entry?.state !== 'applied') throw new RuleBroken(`${name} is ${entry?.state} in the journal`);
  return id;
}

function named(name: string, outcome: CommandOutcome): string {
  const id = outcome.outcome === 'applied' ? outcome.after['farmId'] : undefined;
  if (typeof id === 'string') return id;
  throw new RuleBroken(`${name} ended ${JSON.stringify(outcome)}, which names no farm`);
}
