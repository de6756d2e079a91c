import type { Caller, Topic } from '@steward/client';

const readTopics: readonly Topic[] = [
  'chat',
  'players',
  'farm',
  'farmhands',
  'invites',
  'game',
  'operations',
  'backups',
  'schedules',
  'sidecar',
  'server',
  'state',
];

/** All that a key may hear. */
export function topicsFor({ scopes }: Caller): readonly Topic[] {
  if (scopes.includes('admin')) return [...readTopics, 'webhooks'];
  if (scopes.includes('read')) return readTopics;
  return scopes.includes('chat') ? ['chat'] : [];
}
