import type { KeyChanged, KeyRing } from '../../../src/keys/key-ring.ts';

export const keySteps = ['create', 'rotate', 'revoke'] as const;

export type KeyStep = (typeof keySteps)[number];

export interface StepDone extends KeyChanged {
  readonly step: KeyStep;
}

/** The whole life of a key, each step under an idempotency key of its own. */
export async function* inTurn(ring: KeyRing, name: string): AsyncGenerator<StepDone> {
  for (const step of keySteps) yield { step, ...(await take(ring, step, name)) };
}

function take(ring: KeyRing, step: KeyStep, name: string): Promise<KeyChanged> {
  const idempotencyKey = `${name} ${step}`;
  if (step === 'create') return ring.create({ name, scopes: ['read'] }, idempotencyKey);
  if (step === 'rotate') return ring.rotate({ name }, 0, idempotencyKey);
  return ring.revoke({ name }, idempotencyKey);
}
