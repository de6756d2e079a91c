import type { Command } from '@steward/service-kit/command-line/program';
import { table } from '@steward/service-kit/text/layout';
import type { AnswerOf } from '@steward/shared/api/answers';
import { keyEndpoints } from '@steward/shared/api/endpoints/keys';
import { apiCommand, type Shown } from './api-command.ts';

const { createKey, listKeys, revokeKey, rotateKey } = keyEndpoints;

/** Keys, for whoever has a terminal where the service runs. */
export const keyCommands: Readonly<Record<string, Command>> = {
  'keys create': apiCommand<'createKey'>('keys create', createKey, withSecret),
  'keys list': apiCommand<'listKeys'>('keys list', listKeys, ({ keys }) => ({ result: listOf(keys) })),
  'keys revoke': apiCommand<'revokeKey'>('keys revoke', revokeKey, ({ message }) => ({ result: message })),
  'keys rotate': apiCommand<'rotateKey'>('keys rotate', rotateKey, withSecret),
};

/** The secret alone on stdout, so that it can go into a file or a variable without being seen. */
function withSecret({ secret = '', message }: AnswerOf<'createKey'>): Shown {
  return { result: secret, note: `${message}. It is shown only once` };
}

function listOf(keys: AnswerOf<'listKeys'>['keys']): string {
  if (keys.length === 0) return 'There are no keys except API_KEY';
  return table([
    ['NAME', 'ID', 'SCOPES', 'STATE', 'LAST USED', 'EXPIRES'],
    ...keys.map(({ name, id, scopes, state, lastUsedAt = 'never', expiresAt = 'never' }) => [
      name,
      id,
      scopes.join(','),
      state,
      lastUsedAt,
      expiresAt,
    ]),
  ]);
}
