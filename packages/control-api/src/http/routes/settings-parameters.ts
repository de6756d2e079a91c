import { serverSettings } from '@steward/shared/bridge/settings';
import { parseUint64 } from '@steward/shared/ids/uint64';
import { accepted, refused } from '@steward/shared/parsed';
import { z } from 'zod';
import type { ServerChanges } from '../../settings/edit.ts';
import { fileName, parseFileName } from '../../settings/names.ts';
import {
  booleanParameter,
  choiceParameter,
  integerParameter,
  parameter,
  parameterExample,
} from '../parameters/parameter.ts';

/** As many players as the game's own tools allow. */
const mostPlayers = 100;

const adminIds = parameter({
  allowed: 'ids in decimal digits, separated by commas, or none',
  meaning:
    'Accounts that become admin when they join, by either network: their ids, separated by commas; `none`, or nothing, empties the list',
  json: { minLength: 0, [parameterExample]: '76561198000000001,76561198000000002' },
  mayBeEmpty: true,
  parse(text) {
    if (text === 'none' || text === '') return accepted([]);
    const ids = text.split(',').map(parseUint64);
    if (!ids.every((id) => id.ok)) return refused('is not that');
    return accepted(ids.flatMap((id) => (id.ok ? [id.value.toString()] : [])));
  },
});

/** The server section, as the query of `POST /settings`; what is not named stays as it is. */
export const settingsParameters = z.object({
  maxPlayers: integerParameter({
    min: 1,
    max: mostPlayers,
    meaning: 'How many players may be online',
    example: 8,
  }).optional(),
  cabinStrategy: choiceParameter({
    meaning: 'Where cabins stand',
    values: serverSettings.shape.cabinStrategy.options,
  }).optional(),
  separateWallets: booleanParameter({ meaning: 'Whether each player has money of their own' }).optional(),
  existingCabinBehavior: choiceParameter({
    meaning: 'What becomes of cabins that stand already',
    values: serverSettings.shape.existingCabinBehavior.options,
  }).optional(),
  verboseLogging: booleanParameter({ meaning: 'Whether the game logs more' }).optional(),
  allowIpConnections: booleanParameter({ meaning: 'Whether players may join by direct IP' }).optional(),
  enforceFarmhandOwnership: booleanParameter({
    meaning: 'Whether a farmhand is kept for who first took it',
  }).optional(),
  lobbyMode: choiceParameter({
    meaning: 'Whether players who log in wait together or each alone',
    values: serverSettings.shape.lobbyMode.options,
  }).optional(),
  activeLobbyLayout: parameter({
    allowed: fileName.allowed,
    meaning: 'The layout of that waiting room',
    json: { pattern: fileName.pattern.source, minLength: 1, maxLength: 32, [parameterExample]: 'default' },
    parse: parseFileName,
  }).optional(),
  adminPlatformIds: adminIds.optional(),
  networkBroadcastPeriod: integerParameter({
    min: 1,
    max: 60,
    meaning: 'Ticks between two broadcasts of positions',
    example: 1,
  }).optional(),
});

/** What of it was given. */
export function changesOf(given: z.infer<typeof settingsParameters>): ServerChanges {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
