import { expect, it } from 'vitest';
import { z } from 'zod';
import { troubleShape, troubleText } from './trouble.ts';

it('trouble is told in one text, with its remedy where there is one', () => {
  expect(troubleText({ reason: 'The disk is full', remedy: 'Free some space' })).toBe(
    'The disk is full. Free some space',
  );
  expect(troubleText({ reason: 'The disk is full' })).toBe('The disk is full');
  expect(troubleText({ reason: 'The disk is full', remedy: undefined })).toBe('The disk is full');
});

it('an answer that carries trouble says what both members mean there, the one that may be absent, too', () => {
  const answer = z.object(troubleShape('Why it failed', 'How to fix it')).partial({ remedy: true });
  expect(answer.parse({ reason: 'x' })).toEqual({ reason: 'x' });
  expect(answer.safeParse({ remedy: 'y' }).success).toBe(false);
  expect(z.toJSONSchema(answer)).toMatchObject({
    properties: { reason: { description: 'Why it failed' }, remedy: { description: 'How to fix it' } },
    required: ['reason'],
  });
});
