import type { DatabaseSync } from 'node:sqlite';
import { operationWriter } from '../../../src/store/tables/operations.ts';
import { type KeptWebhook, webhookWriter } from '../../../src/store/tables/webhooks.ts';
import { notFailing } from '../../../src/webhooks/lane.ts';
import { stageBegins } from './sampled.ts';

export interface LeftWebhook extends Partial<KeptWebhook> {
  readonly id: string;
  readonly name: string;
}

/** Leaves webhooks behind, as an earlier process would; of each one message that was given up. */
export function leaveWebhooks(database: DatabaseSync, webhooks: readonly LeftWebhook[]): void {
  const writer = webhookWriter(database, operationWriter(database));
  const left = webhooks.map((webhook) => ({ ...usual, ...webhook }));
  for (const hook of left) writer.put(hook);
  writer.move({
    kind: 'webhooks-moved',
    moved: [],
    deliveries: left.map(({ id: hook }) => ({ hook, ...givenUp })),
  });
}

const usual = {
  template: 'standard',
  url: 'https://hooks.example/5e0c',
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  topics: ['players', 'invites'],
  identities: false,
  createdAt: stageBegins,
  epoch: 'k3f9x',
  number: 0,
  gapTo: null,
  state: 'active',
  since: stageBegins,
  deliveredAt: null,
  notBefore: 0,
  ...notFailing,
} as const satisfies Omit<KeptWebhook, 'id' | 'name'>;

const givenUp = {
  message: 'evt_k3f9x-41',
  type: 'players.joined',
  at: stageBegins,
  outcome: 'givenUp',
  tries: 3,
  status: 404,
  reason: 'it answered 404',
} as const;
