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
    description: 'With it go its cabin, what is in it, and its owner. With dryRun nothing is changed.',
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
      'For somebody who now comes through another door. Online and fresh farmhands, too: nobody is sent away, and a fresh one then waits for its owner.',
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
  },
  releaseFarmhand: {
    on: 'POST /farmhands/release',
    group: 'Farmhands',
    scope: 'moderate',
    summary: 'Let whoever comes next have a farmhand',
    description:
      'The next player who takes it through the platform or the network owns it; one who comes by address returns it to all who do. A fresh slot is open to everybody again.',
    query: onePlayer,
    exactlyOneOf: eitherNameOrId,
    problems: ownerProblems,
    audit: 'farmhand released',
  },
} as const satisfies Endpoints;
