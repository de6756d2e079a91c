import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WholeState } from '@steward/shared/bridge/state';

const declared = '\ufeff<?xml version="1.0" encoding="utf-8"?>';
const seasons = ['spring', 'summer', 'fall', 'winter'];

type Saved = Pick<WholeState, 'farm' | 'status'>;

/**
 * Saves a farm as the real game lays it out: a folder called by its id, in it a file of the same name and one for lists of saves, each
 * with the one before beside it. `kept` is whatever the game wants to read again.
 */
export function writeSaveFolder(directory: string, { farm, status }: Saved, kept = ''): void {
  const name = farm?.farmId ?? 'Meadow_1';
  const folder = join(directory, name);
  mkdirSync(folder, { recursive: true });
  const { farmName, day, season, year, gameVersion } = status;
  const ofFarmer = {
    name: 'Host',
    farmName,
    dayOfMonthForSaveGame: day,
    seasonForSaveGame: seasons.indexOf(season),
    yearForSaveGame: year,
    gameVersion,
  };
  const main = [
    `<player>${elements(ofFarmer)}</player>`,
    elements({
      currentSeason: season,
      dayOfMonth: day,
      year,
      uniqueIDForThisGame: name.slice(name.lastIndexOf('_') + 1),
      gameVersion,
      kept,
    }),
  ].join('');
  replace(join(folder, name), `${declared}<SaveGame>${main}</SaveGame>`);
  replace(join(folder, 'SaveGameInfo'), `${declared}<Farmer>${elements(ofFarmer)}</Farmer>`);
}

/** What was kept in the only save that there is. */
export function keptIn(directory: string): string | undefined {
  const names = existsSync(directory) ? readdirSync(directory) : [];
  const name = names.find((each) => existsSync(join(directory, each, each)));
  if (name === undefined) return undefined;
  const [, kept = ''] = /<kept>([^<]*)<\/kept>/.exec(readFileSync(join(directory, name, name), 'utf8')) ?? [];
  return kept.replaceAll('&lt;', '<').replaceAll('&amp;', '&');
}

function elements(all: Readonly<Record<string, string | number>>): string {
  return Object.entries(all)
    .map(([name, value]) => `<${name}>${escaped(String(value))}</${name}>`)
    .join('');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

function replace(path: string, text: string): void {
  writeFileSync(`${path}_STARDEWVALLEYSAVETMP`, text);
  if (existsSync(path)) writeFileSync(`${path}_old`, readFileSync(path));
  renameSync(`${path}_STARDEWVALLEYSAVETMP`, path);
}
