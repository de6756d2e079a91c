import { defaultSettings, type GameSettings } from '@steward/shared/bridge/settings';
import { inviteCode } from '@steward/shared/invite-code';
import type { FarmEvent, FarmEventType, Happening } from '../src/events/farm-event.ts';
import { Farm } from '../src/farm/farm.ts';
import type { Door } from '../src/players/clients.ts';
import { MemorySaves, type SaveStore } from '../src/saves/save-store.ts';
import { Schedule } from '../src/time/schedule.ts';
import { TownHall, ticketKey } from './town-hall.ts';

export const testSettings: GameSettings = {
  game: { ...defaultSettings.game, farmName: 'Sunnybrook' },
  server: { ...defaultSettings.server, allowIpConnections: true },
};

export function withServer(changes: Partial<GameSettings['server']>): GameSettings {
  return { ...testSettings, server: { ...testSettings.server, ...changes } };
}

export interface TestFarm {
  readonly farm: Farm;
  readonly hall: TownHall;
  readonly saves: SaveStore;
  readonly history: Happening[];
  seconds(count: number): void;
  /** All events of one type, oldest first. */
  told<Type extends FarmEventType>(type: Type): Extract<FarmEvent, { type: Type }>[];
}

export interface TestFarmOptions {
  readonly seed?: string;
  readonly settings?: GameSettings;
  readonly hall?: TownHall;
  readonly saves?: SaveStore;
  readonly key?: Buffer | undefined;
}

/** An open farm on a clock that the test moves, with a lobby that leads to a platform lobby. */
export function testFarm(options: TestFarmOptions = {}): TestFarm {
  const { seed = 'test', settings = testSettings, hall = new TownHall() } = options;
  const saves = options.saves ?? new MemorySaves();
  const key = 'key' in options ? options.key : ticketKey;
  const schedule = new Schedule();
  const farm = new Farm({ seed, opening: 'again', schedule, saves, settings, steward: hall, ticketKey: key });
  const history: Happening[] = [];
  farm.events.watch((happening) => history.push(happening));
  farm.open(settings);
  farm.hosting.link('109775240935523415');
  return {
    farm,
    hall,
    saves,
    history,
    seconds: (count) => schedule.advance(count * 1000),
    told: <Type extends FarmEventType>(type: Type) =>
      history
        .map(({ event }) => event)
        .filter((event): event is Extract<FarmEvent, { type: Type }> => event.type === type),
  };
}

export const throughFriends: Door = { through: 'friends' };
export const byAddress: Door = { through: 'direct-ip' };

export function byCode({ farm }: TestFarm, prefix: 'G' | 'S'): Door {
  const { lobby } = farm.hosting;
  if (lobby === undefined) throw new Error('the farm has no lobby');
  return { through: 'code', code: inviteCode(prefix, lobby.rawId) };
}

/** Long enough for anyone to choose, create a character and be known by name. */
export const joiningSeconds = 70;
