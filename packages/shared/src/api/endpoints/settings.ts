import { uint64Range } from '../../ids/integer64.ts';
import { boolean, choice, digits, form, integer, type Kind } from '../../kinds.ts';
import { accepted, refused } from '../../parsed.ts';
import { type Endpoints, optional } from '../endpoint.ts';

/** As many players as the game's own tools allow. */
const mostPlayers = 100;

const id = digits(uint64Range);

const adminIds: Kind<string[]> = {
  allowed: 'ids in decimal digits, separated by commas, or none',
  json: { type: 'string', minLength: 0 },
  parse(text) {
    if (text === 'none' || text === '') return accepted([]);
    const ids = text.split(',').map(id.parse);
    if (!ids.every(({ ok }) => ok)) return refused('is not that');
    return accepted(ids.flatMap((one) => (one.ok ? [one.value] : [])));
  },
};

/** The server section of the settings file; what is not named stays as it is. */
const serverSection = {
  maxPlayers: optional(integer({ min: 1, max: mostPlayers }), {
    means: 'How many players may be online',
    example: 8,
  }),
  cabinStrategy: optional(choice(['CabinStack', 'FarmhouseStack', 'None']), { means: 'Where cabins stand' }),
  separateWallets: optional(boolean, { means: 'Whether each player has money of their own' }),
  existingCabinBehavior: optional(choice(['KeepExisting', 'MoveToStack']), {
    means: 'What becomes of cabins that stand already',
  }),
  verboseLogging: optional(boolean, { means: 'Whether the game logs more' }),
  allowIpConnections: optional(boolean, { means: 'Whether players may join by direct IP' }),
  enforceFarmhandOwnership: optional(boolean, { means: 'Whether a farmhand is kept for who first took it' }),
  lobbyMode: optional(choice(['Shared', 'Individual']), {
    means: 'Whether players who log in wait together or each alone',
  }),
  activeLobbyLayout: optional(
    form({
      allowed: '1 to 32 ASCII letters, digits, _ and -',
      pattern: /^[A-Za-z0-9_-]{1,32}$/,
      longest: 32,
    }),
    { means: 'The layout of that waiting room', example: 'default' },
  ),
  adminPlatformIds: optional(adminIds, {
    means:
      'Accounts that become admin when they join, by either network: their ids, separated by commas; `none`, or nothing, empties the list',
    example: '76561198000000001,76561198000000002',
  }),
  networkBroadcastPeriod: optional(integer({ min: 1, max: 60 }), {
    means: 'Ticks between two broadcasts of positions',
    example: 1,
  }),
};

export const settingsEndpoints = {
  getSettings: {
    on: 'GET /settings',
    group: 'Settings',
    scope: 'read',
    summary: 'The effective settings, and which are not in effect yet',
    prepared: true,
  },
  changeSettings: {
    on: 'POST /settings',
    group: 'Settings',
    scope: 'operate',
    summary: "Change values of the settings file's server section",
    description:
      'Those named are changed; comments, unknown keys and everything else in the file stay as they are, and the file as it was is kept beside it. It works without a game, too, which hears of it when it connects.',
    query: serverSection,
    game: 'applySettings',
    problems: ['settings-unreadable', 'settings-unwritable'],
    audit: 'settings changed',
  },
} as const satisfies Endpoints;
