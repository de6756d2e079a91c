import { chatLimits } from '../../chat/rules.ts';
import { boolean, choice } from '../../kinds.ts';
import { type Endpoints, optional, required } from '../endpoint.ts';
import { keyExpiry } from '../key-parameters.ts';
import {
  addressOrNetwork,
  importedRows,
  moderationLimits,
  moderationLists,
  rowId,
  shownWhy,
} from '../moderation-parameters.ts';
import { spokenLine } from './chat.ts';
import { eitherNameOrId, identityDigits, onePlayer, whereIdentities } from './players.ts';

const eitherWhom = [...eitherNameOrId, 'identity', 'address'] as const;

const either = 'Exactly one of name, playerId, identity and address must be given.';

const whom = {
  name: optional(onePlayer.name.kind, {
    means: `The name of a farmhand, in any case. ${either}`,
    example: 'Ann',
  }),
  playerId: optional(onePlayer.playerId.kind, {
    means: `The stable id of a farmhand. ${either}`,
    example: '620826087702429092',
  }),
  identity: optional(identityDigits, {
    means: `Players with this id on the platform or the network: ${whereIdentities}. ${either}`,
    example: '46265193014',
  }),
  address: optional(addressOrNetwork, {
    means: `Players who connect from this address or network by direct IP. ${either}`,
    example: '198.51.100.7',
  }),
};

const eitherRow = ['id', ...eitherWhom] as const;

const oneRow = {
  id: optional(rowId, {
    means: 'The id of the row. Exactly one of id, name, playerId, identity and address must be given.',
    example: 'row_5b1f0c9a7d24',
  }),
  ...whom,
};

const until = optional(keyExpiry, {
  means:
    'When it ends: after this many days or hours, at the start of a day in UTC, or at a time; never by default',
  example: '30d',
});

const force = optional(boolean, {
  means:
    'Ban even if it may affect others: a private address, one that another online player shares, or a wide network. Behind Docker’s proxy, everybody has the address of its gateway',
});

/** What can become of a change of the lists, which this service makes itself. */
const changeProblems = [
  'idempotency-key-reused',
  'bans-unreadable',
  'state-unwritable',
  'not-supported-by-game',
  'game-unavailable',
  'command-void',
  'outcome-unknown',
] as const;

const addProblems = [
  ...changeProblems,
  'farmhand-not-found',
  'ambiguous-name',
  'ban-needs-force',
  'too-many-bans',
] as const;

const removeProblems = [...changeProblems, 'ban-not-found', 'ambiguous-name'] as const;

export const moderationEndpoints = {
  announce: {
    on: 'POST /announcements',
    group: 'Moderation',
    scope: 'operate',
    summary: 'Show a message from the server to everybody in the game',
    description:
      'Marked as coming from the server, so that nobody takes it for a player’s; never run as a command.',
    query: {
      message: required(spokenLine, {
        means: `The text, without control characters; beyond ${chatLimits.messageCharacters} characters it is cut and ends in \`…\``,
        example: 'The server restarts in ten minutes',
      }),
    },
    game: 'announce',
    audit: 'announced in the game',
  },
  kickPlayer: {
    on: 'POST /players/kick',
    group: 'Moderation',
    scope: 'moderate',
    summary: 'Kick a player, who may come back',
    description: 'To keep a player out, ban them instead.',
    query: {
      ...onePlayer,
      reason: optional(shownWhy, {
        means: 'The reason, shown to the player; long texts are cut',
        example: 'Take a break',
      }),
    },
    exactlyOneOf: eitherNameOrId,
    game: 'kick',
    problems: ['player-not-found', 'player-offline', 'ambiguous-name'],
    audit: 'player kicked',
  },
  listBans: {
    on: 'GET /bans',
    group: 'Moderation',
    scope: 'moderate',
    summary: 'Who is banned, why and until when',
    description: 'In the order in which they were banned, without bans that are over.',
    problems: ['bans-unreadable'],
  },
  addBan: {
    on: 'POST /bans',
    group: 'Moderation',
    scope: 'moderate',
    summary: 'Ban somebody',
    description:
      'Ban a player (with every known identity of that farmhand, and from the farmhand itself), an identity (on its own platform or network), or an address or a network (by direct IP). Online players are kicked. If you ban somebody again, the last reason and end apply.',
    query: {
      ...whom,
      reason: optional(shownWhy, {
        means: 'The reason, shown to the player; long texts are cut',
        example: 'Griefing',
      }),
      until,
      force,
    },
    exactlyOneOf: eitherWhom,
    problems: addProblems,
    audit: 'player banned',
    notedFirst: true,
  },
  removeBan: {
    on: 'DELETE /bans',
    group: 'Moderation',
    scope: 'moderate',
    summary: 'Lift a ban',
    query: oneRow,
    exactlyOneOf: eitherRow,
    problems: removeProblems,
    audit: 'ban lifted',
    notedFirst: true,
  },
  importBans: {
    on: 'POST /bans/import',
    group: 'Moderation',
    scope: 'moderate',
    summary: 'Import rows into one of the two lists',
    description:
      'For `control-api bans import`, which sends a file in parts. Rows as in GET /bans and GET /allowlist; entries that are already on the list do not change. Rows that cannot be read are reported and left out. With dryRun nothing is changed.',
    query: {
      rows: required(importedRows, {
        means: `The rows; at most ${moderationLimits.importedCharacters} characters a request`,
        example: '[{"identity":"46265193014","reason":"Griefing"}]',
      }),
      list: optional(choice(moderationLists), {
        means: 'The list; bans by default',
        example: 'bans',
      }),
      force,
      dryRun: optional(boolean, { means: 'Only say what would happen' }),
    },
    problems: [...changeProblems, 'too-many-bans'],
    audit: 'list of players imported',
    notedFirst: true,
  },
  listAllowed: {
    on: 'GET /allowlist',
    group: 'Moderation',
    scope: 'moderate',
    summary: 'The allowlist',
    problems: ['bans-unreadable'],
  },
  allowPlayer: {
    on: 'POST /allowlist',
    group: 'Moderation',
    scope: 'moderate',
    summary: 'Add somebody to the allowlist; from the first entry on, nobody else can join',
    description:
      'Players who are online stay. A player can use every known connection of that farmhand; banned players stay out.',
    query: { ...whom, until, force },
    exactlyOneOf: eitherWhom,
    problems: addProblems,
    audit: 'player added to the allowlist',
    notedFirst: true,
  },
  disallowPlayer: {
    on: 'DELETE /allowlist',
    group: 'Moderation',
    scope: 'moderate',
    summary: 'Remove somebody from the allowlist; when it is empty, everybody can join again',
    query: oneRow,
    exactlyOneOf: eitherRow,
    problems: removeProblems,
    audit: 'player removed from the allowlist',
    notedFirst: true,
  },
} as const satisfies Endpoints;
