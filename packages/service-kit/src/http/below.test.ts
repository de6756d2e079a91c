import { expect, it } from 'vitest';
import { below } from './below.ts';

it.each([
  ['http://host:8080', '/status', 'http://host:8080/status'],
  ['http://host/farm', '/status?since=1', 'http://host/farm/status?since=1'],
  ['http://host/farm/', 'ws', 'http://host/farm/ws'],
  ['https://user@host/a/b', '//elsewhere/status', 'https://user@host/a/b/elsewhere/status'],
])('below %s, %s is %s', (base, path, address) => {
  expect(below(new URL(base), path).href).toBe(address);
});
