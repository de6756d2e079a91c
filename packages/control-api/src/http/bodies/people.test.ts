import { expect, it } from 'vitest';
import type { BridgeState } from '../../game/state/bridge-state.ts';
import { playersOf } from './people.ts';

it('marks whoever has no name yet as joining', () => {
  const connected = { connectionId: 'GN_46265193014', isAdmin: false };
  const state: BridgeState = {
    link: { status: 'live', reason: '', remedy: '', since: new Date(0) },
    sections: {
      players: [
        { id: '1', name: 'Ann', ...connected },
        { id: '2', name: '', ...connected },
      ],
    },
    isWhole: true,
    version: 1,
  };
  const joining = playersOf(state).players.map(({ idStr, isJoining }) => [idStr, isJoining]);
  expect(joining).toEqual([
    ['1', undefined],
    ['2', true],
  ]);
});
