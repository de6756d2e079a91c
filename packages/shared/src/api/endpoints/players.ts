import { int64Range, uint64Range } from '../../ids.ts';
import { digits, visibleText } from '../../kinds.ts';
import { capital } from '../../text.ts';
import { type Endpoints, optional } from '../endpoint.ts';

const longestName = 200;

export const eitherNameOrId = ['name', 'playerId'] as const;

const either = capital(`exactly one of ${eitherNameOrId.join(' and ')} must be given`);

/** For whoever builds a client by the document alone. */
export const idAsTextAdvice =
  'Where numbers are doubles, as in JavaScript, send the id as text: a rounded id is another id.';

/** One person, by `name` or by `playerId`. */
export const onePlayer = {
  name: optional(visibleText({ longest: longestName }), {
    means: `The name, in any case; it may appear a moment after the join. ${either}.`,
    example: 'Ann',
  }),
  playerId: optional(digits(int64Range), {
    means: `The stable id, better for automation. ${either}. ${idAsTextAdvice}`,
    example: '620826087702429092',
  }),
};

/** Of a platform or a network. */
export const identityDigits = digits(uint64Range);

export const whereIdentities =
  'the digits on the line `Client connected via …` in the log. Whether it is a platform id or a network id, its range tells';

export const playerEndpoints = {
  listPlayers: {
    on: 'GET /players',
    group: 'Players',
    scope: 'read',
    summary: 'Who is connected',
    prepared: true,
  },
  getInviteCode: {
    on: 'GET /invite-code',
    group: 'Players',
    scope: 'read',
    summary: 'The code that players join with',
    description: 'Always 200: without a code, `error` says why there is none.',
    prepared: true,
  },
  grantAdmin: {
    on: 'POST /roles/admin',
    group: 'Players',
    scope: 'admin',
    summary: 'Grant a player the admin role',
    description: 'To anyone who has a farmhand, online or offline. Granting it again changes nothing.',
    query: onePlayer,
    exactlyOneOf: eitherNameOrId,
    game: 'grantAdmin',
    problems: ['player-not-found', 'ambiguous-name'],
    audit: 'admin role granted',
  },
} as const satisfies Endpoints;
