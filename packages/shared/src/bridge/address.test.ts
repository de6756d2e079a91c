import { expect, it } from 'vitest';
import { parseAddress } from './address.ts';

it.each([
  ['unix:/run/game.sock', { path: '/run/game.sock' }],
  ['tcp:127.0.0.1:65535', { host: '127.0.0.1', port: 65_535 }],
  ['tcp:::1:0', { host: '::1', port: 0 }],
  ['unix:', undefined],
  ['tcp:localhost', undefined],
  ['tcp:localhost:65536', undefined],
  ['banana', undefined],
])('reads %s', (text, address) => {
  expect(parseAddress(text)).toEqual(address);
});
