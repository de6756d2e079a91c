import { boolean } from '../../kinds.ts';
import { type Endpoints, optional, required } from '../endpoint.ts';
import { eitherNameOrId, identityDigits, onePlayer, whereIdentities } from './players.ts';

/** What can become of a change of owners, which this service makes itself. */
const ownerProblems = [
  'farmhand-not-found',
  'ambiguous-name',
  'idempotency-key-reused',
  'ownership-unwritable',
  'state-unwritable',
  'not-supported-by-game',
  'game-unavailable',
  'command-void',
  'outcome-unknown',
] as const;

export const farmhandEndpoints = {
  listFarmhands: {
    on: 'GET /farmhands',
    group: 'Farmhands',
    scope: 'moderate',
    summary: 'Every farmhand slot, taken or free',
    prepared: true,
  },
  deleteFarmhand: {
    on: 'DELETE /farmhands',
    group: 'Farmhands',
    scope: 'moderate',
    summary: 'Delete a farmhand that is offline',
    description:
      'This also deletes its cabin, everything in it, and its owner. With dryRun nothing is changed.',
    query: { ...onePlayer, dryRun: optional(boolean, { means: 'Only say what would be deleted' }) },
    exactlyOneOf: eitherNameOrId,
    game: 'deleteFarmhand',
    problems: [
      'farmhand-not-found',
      'farmhand-online',
      'ambiguous-name',
      // Where it has to be backed up first.
      'backups-off',
      'backup-under-way',
      'no-save',
      'no-room',
      'backup-failed',
    ],
    audit: 'farmhand deleted',
  },
  rebindFarmhand: {
    on: 'POST /farmhands/rebind',
    group: 'Farmhands',
    scope: 'moderate',
    summary: 'Give a farmhand to another identity',
    description:
      'For a player who now connects in another way. Works for online and empty farmhands, too: nobody is disconnected, and an empty one is then reserved for its owner. If the farmhand is an admin in the game, this needs `admin`.',
    query: {
      ...onePlayer,
      identity: required(identityDigits, {
        means: `The id of the new owner: ${whereIdentities}`,
        example: '46265193014',
      }),
    },
    exactlyOneOf: eitherNameOrId,
    problems: ownerProblems,
    audit: 'farmhand given to another identity',
    notedFirst: true,
  },
  releaseFarmhand: {
    on: 'POST /farmhands/release',
    group: 'Farmhands',
    scope: 'moderate',
    summary: 'Make a farmhand free for the next player',
    description:
      'The next player who takes it through the platform or the network owns it. If a player takes it by direct IP, everyone who connects by IP can use it. An empty slot is open to everyone again. If the farmhand is an admin in the game, this needs `admin`.',
    query: onePlayer,
    exactlyOneOf: eitherNameOrId,
    problems: [...ownerProblems, 'farmhand-online'],
    audit: 'farmhand released',
    notedFirst: true,
  },
} as const satisfies Endpoints;
