import { expect, it } from 'vitest';
import { readJson } from './read-json.ts';

it('reads what is JSON', () => {
  expect(readJson('{"a":[1,null]}')).toEqual({ a: [1, null] });
  expect(readJson('null')).toBeNull();
});

it.each(['', '{', 'undefined', '{"a":1}}', '\u0000'])('makes nothing of %j', (text) => {
  expect(readJson(text)).toBeUndefined();
});
