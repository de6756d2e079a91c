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
    means: `Who comes with this id through the platform or the network: ${whereIdentities}. ${either}`,
    example: '46265193014',
  }),
  address: optional(addressOrNetwork, {
    means: `Who comes from this address or network by direct IP. ${either}`,
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
    'When it ends: after so many days or hours, at the beginning of a day in UTC, or at an instant; never where nothing is said',
  example: '30d',
});

const force = optional(boolean, {
  means:
    'Also where it may concern others: an address that is private, that another player online shares, or a wide network. Behind the proxy of Docker everybody has the address of its gateway',
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
    summary: 'Show everybody in the game a line of the server',
    description:
      'Marked as the server’s, so that nobody takes it for a player’s; never carried out as a command.',
    query: {
      message: required(spokenLine, {
        means: `What is shown, without control characters; beyond ${chatLimits.messageCharacters} characters it is cut and ends in \`…\``,
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
    summary: 'Send a player away, who may come back',
    description: 'Whoever is to stay away is banned instead.',
    query: {
      ...onePlayer,
      reason: optional(shownWhy, {
        means: 'Why, shown to the player; cut where it is long',
        example: 'Take a break',
      }),
    },
    exactlyOneOf: eitherNameOrId,
    game: 'kick',
    problems: ['player-not-found', 'player-offline', 'ambiguous-name'],
    audit: 'player sent away',
  },
  listBans: {
    on: 'GET /bans',
    group: 'Moderation',
    scope: 'moderate',
    summary: 'Who is kept out, why and until when',
    description: 'In the order in which they were banned; those whose time is over are not listed.',
    problems: ['bans-unreadable'],
  },
  addBan: {
    on: 'POST /bans',
    group: 'Moderation',
    scope: 'moderate',
    summary: 'Keep somebody out',
    description:
      'A player: by every identity that is known of that farmhand, and from the farmhand itself; an identity, by the door that it is of; an address or a network, by direct IP. Whoever is on the farm is sent away. Banned again, the reason and the end are what was said last.',
    query: {
      ...whom,
      reason: optional(shownWhy, {
        means: 'Why, shown to the player; cut where it is long',
        example: 'Griefing',
      }),
      until,
      force,
    },
    exactlyOneOf: eitherWhom,
    problems: addProblems,
    audit: 'player banned',
  },
  removeBan: {
    on: 'DELETE /bans',
    group: 'Moderation',
    scope: 'moderate',
    summary: 'Keep somebody out no longer',
    query: oneRow,
    exactlyOneOf: eitherRow,
    problems: removeProblems,
    audit: 'ban lifted',
  },
  importBans: {
    on: 'POST /bans/import',
    group: 'Moderation',
    scope: 'moderate',
    summary: 'Take rows into one of the two lists',
    description:
      'For `control-api bans import`, which sends a file bit by bit. Rows as GET /bans and GET /allowlist list them; whoever is on the list already stays as they are. A row that cannot be read is told and left out. With dryRun nothing is changed.',
    query: {
      rows: required(importedRows, {
        means: `The rows; at most ${moderationLimits.importedCharacters} characters a request`,
        example: '[{"identity":"46265193014","reason":"Griefing"}]',
      }),
      list: optional(choice(moderationLists), {
        means: 'Into which; bans where nothing is said',
        example: 'bans',
      }),
      force,
      dryRun: optional(boolean, { means: 'Only say what would become of them' }),
    },
    problems: [...changeProblems, 'too-many-bans'],
    audit: 'list of players taken in',
  },
  listAllowed: {
    on: 'GET /allowlist',
    group: 'Moderation',
    scope: 'moderate',
    summary: 'Who alone comes in, where there is such a list',
    problems: ['bans-unreadable'],
  },
  allowPlayer: {
    on: 'POST /allowlist',
    group: 'Moderation',
    scope: 'moderate',
    summary: 'Let somebody in, and from the first on nobody else',
    description:
      'Who is on the farm stays. A player comes in by each door that is known of that farmhand; who is banned stays out.',
    query: { ...whom, until, force },
    exactlyOneOf: eitherWhom,
    problems: addProblems,
    audit: 'player put on the allowlist',
  },
  disallowPlayer: {
    on: 'DELETE /allowlist',
    group: 'Moderation',
    scope: 'moderate',
    summary: 'Take somebody from the list; without the last, everybody comes in again',
    query: oneRow,
    exactlyOneOf: eitherRow,
    problems: removeProblems,
    audit: 'player taken from the allowlist',
  },
} as const satisfies Endpoints;
