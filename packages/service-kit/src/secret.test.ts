import { format, inspect } from 'node:util';
import { expect, it } from 'vitest';
import { Secret } from './secret.ts';

const secret = new Secret('hunter2');

it('prints as [secret] on every way out but one', () => {
  const prints = [
    `${secret}`,
    JSON.stringify({ secret }),
    inspect(secret),
    format('%o %s %j', secret, secret, secret),
  ];
  for (const print of prints) {
    expect(print).toContain('[secret]');
    expect(print).not.toContain('hunter2');
  }
  expect(Object.values({ ...secret })).toEqual([]);
});

it('reveals its value to whoever asks for it by name', () => {
  expect(secret.reveal()).toBe('hunter2');
});
