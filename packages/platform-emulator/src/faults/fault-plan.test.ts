import { expect, it } from 'vitest';
import { damaged, FaultPlan } from './fault-plan.ts';

const chunk = { kind: 'chunk', host: '127.0.0.1:1', path: '/depot/1/chunk/aa' } as const;

it('strikes the nth matching request only, and counts per rule', () => {
  const plan = new FaultPlan(() => 0);
  plan.add({ when: { kind: 'chunk' }, nth: [2, 3], fault: { status: 503 } });
  const statuses = [1, 2, 3, 4].map(() => plan.decide(chunk).status);
  expect(statuses).toEqual([undefined, 503, 503, undefined]);
  expect(plan.decide({ ...chunk, kind: 'manifest' })).toEqual({});
});

it('matches host and path, by the whole value or by an expression', () => {
  const plan = new FaultPlan(() => 0);
  plan.add({ when: { host: '127.0.0.1:2' }, fault: { resetAtByte: 0 } });
  plan.add({ when: { path: /chunk/ }, fault: { latencyMs: 5 } });
  expect(plan.decide(chunk)).toEqual({ latencyMs: 5 });
  expect(plan.decide({ ...chunk, host: '127.0.0.1:2' })).toEqual({ latencyMs: 5, resetAtByte: 0 });
});

it('follows a schedule by the clock it was given, and stops after its times', () => {
  let now = 1000;
  const plan = new FaultPlan(() => now);
  plan.add({ when: {}, during: { fromMs: 100, untilMs: 200 }, times: 1, fault: { status: 500 } });
  expect(plan.decide(chunk)).toEqual({});
  now = 1150;
  expect(plan.decide(chunk)).toEqual({ status: 500 });
  expect(plan.decide(chunk)).toEqual({});
});

it('takes a rule away again', () => {
  const plan = new FaultPlan(() => 0);
  const remove = plan.add({ when: {}, fault: { status: 403 } });
  remove();
  expect(plan.decide(chunk)).toEqual({});
});

it.each([
  ['wrong-bytes', 64],
  ['corrupt', 64],
  ['truncated', 32],
] as const)('%s damages a copy, never the original', (damage, length) => {
  const original = Buffer.alloc(64, 1);
  const answer = damaged(original, damage);
  expect(answer.length).toBe(length);
  expect(answer.equals(original)).toBe(false);
  expect(original.equals(Buffer.alloc(64, 1))).toBe(true);
});
