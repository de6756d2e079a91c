import { daysInSeason, seasons } from '../time/calendar.ts';
import { Random } from '../time/random.ts';
import { type Farmhand, type FarmState, farmState, farmTypes } from './farm-state.ts';

/** The version of the game that is simulated. */
export const gameVersion = '1.6.15';

export const infoFile = 'SaveGameInfo';

/** A file's text, in pieces. */
type Pieces = readonly (string | Buffer)[];

const declared = '\ufeff<?xml version="1.0" encoding="utf-8"?>';
const namespaces =
  'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema"';

/** The file that is the save: the real game's elements so far as the farm has them, and `simulation` with all that it is. */
export function mainFile(state: FarmState, number: string, fields: Buffer): Pieces {
  const { day, season, year, farmType } = state;
  const farmhands = state.farmhands.map((slot) => element('Farmer', farmer(state, slot))).join('');
  return [
    `${declared}<SaveGame ${namespaces}>`,
    element('simulation', text(jsonOf(state))),
    element('player', farmer(state)),
    element('farmhands', farmhands),
    '<locations>',
    fields,
    '</locations>',
    element('currentSeason', season),
    element('dayOfMonth', day),
    element('year', year),
    element('uniqueIDForThisGame', number),
    element('whichFarm', whichFarm(farmType)),
    element('gameVersion', gameVersion),
    '</SaveGame>',
  ];
}

/** What a list of saves shows of one. */
export function infoFileOf(state: FarmState): Pieces {
  return [`${declared}<Farmer ${namespaces}>`, farmer(state), '</Farmer>'];
}

/** What `mainFile` wrote; throws where another game did, or where it is not whole. */
export function stateIn(main: string): FarmState {
  const [, json = ''] = /<simulation>([^<]*)<\/simulation>/.exec(main) ?? [];
  if (!main.endsWith('</SaveGame>')) throw new Error('the save is incomplete');
  return farmState.parse(JSON.parse(plain(json)));
}

/** What lies and grows in the fields, for a save as large as a real one; the same each time. */
export function fieldsOf(bytes: number): Buffer {
  const random = new Random('fields');
  const rows: string[] = [];
  for (let length = 0; length < bytes; ) {
    const [x, y, sheet, age] = [200, 200, 900, daysInSeason].map((most) => random.integer(0, most));
    const row = `<Object><Position><X>${x}</X><Y>${y}</Y></Position><parentSheetIndex>${sheet}</parentSheetIndex><dayOfCurrentPhase>${age}</dayOfCurrentPhase></Object>`;
    rows.push(row);
    length += row.length;
  }
  return Buffer.from(rows.join(''));
}

/** What may not stand in a file of this kind is written as its number. */
function jsonOf(state: FarmState): string {
  return JSON.stringify(state).replaceAll(
    notAllowed,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const notAllowed = /[\p{Cc}\uFFFE\uFFFF]/gu;

/** A farmhand, or the host where none is given. */
function farmer({ host, farmName, day, season, year }: FarmState, slot?: Farmhand): string {
  return [
    element('name', text((slot ?? host).name)),
    element('farmName', text(farmName)),
    element('UniqueMultiplayerID', (slot ?? host).id),
    element('isCustomized', String(slot?.customised ?? true)),
    element('userID', slot?.stamp ?? ''),
    element('dayOfMonthForSaveGame', day),
    element('seasonForSaveGame', seasons.indexOf(season)),
    element('yearForSaveGame', year),
    element('gameVersion', gameVersion),
  ].join('');
}

/** The last one came by a name; all before it are known by their number. */
function whichFarm(farmType: FarmState['farmType']): string {
  return farmType === 'MeadowlandsFarm' ? farmType : String(farmTypes.indexOf(farmType));
}

function element(name: string, content: string | number): string {
  return content === '' ? `<${name} />` : `<${name}>${content}</${name}>`;
}

const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;' } as const;

/** As it may stand between two tags. */
function text(value: string): string {
  return value
    .toWellFormed()
    .replaceAll(notAllowed, '')
    .replaceAll(/[&<>]/g, (mark) => entities[mark as keyof typeof entities]);
}

function plain(value: string): string {
  return value.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
