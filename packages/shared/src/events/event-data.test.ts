import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readEvent } from './event-data.ts';

const joined = {
  type: 'players.joined',
  data: { playerId: '1', playerName: 'Ann', door: 'direct-ip', connectionId: 'L_1' },
};

it('reads an event as it was kept, and passes over members of a later version', () => {
  expect(readEvent(joined)).toEqual(joined);
  expect(readEvent({ ...joined, data: { ...joined.data, mood: 'good' } })).toEqual(joined);
});

it.each([
  [undefined],
  [null],
  ['players.joined'],
  [{ type: 'players.joined' }],
  [{ type: 'players.sneezed', data: {} }],
  [{ type: 'players.joined', data: { playerId: 1 } }],
  [{ kind: 'chat', playerId: '1', playerName: 'Ann', message: 'hi' }],
])('reads nothing out of what this version does not know: %o', (body) => {
  expect(readEvent(body)).toBeUndefined();
});

it('judges whatever it is given without a throw', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (body) => {
      expect(readEvent(body)).toBeUndefined();
    }),
  );
});
