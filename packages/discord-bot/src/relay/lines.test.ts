import type { Event } from '@steward/client';
import { describe, expect, it } from 'vitest';
import { lineOf, tellable } from './lines.ts';

const event = (type: string, data: object) => ({ type, at: '', cursor: 'k-1', data }) as unknown as Event;
const ann = { playerIdStr: '1', playerName: '_Ann_', door: 'lan' };

describe('what the channel is told', () => {
  it.each([
    [event('players.joined', ann), 'players', '→ **\\_Ann\\_** joined'],
    [event('players.left', ann), 'players', '← **\\_Ann\\_** left'],
    // A game may tell of somebody before it knows the name.
    [event('players.joined', { ...ann, playerName: '' }), 'players', '→ **Somebody new** joined'],
    [event('farm.dayStarted', { day: 3, season: 'fall', year: 2 }), 'days', '☀️ Fall 3, year 2'],
    [event('game.crashed', { reason: 'x' }), 'trouble', '⚠️ The game crashed and is starting again.'],
    [event('game.frozen', { reason: 'x' }), 'trouble', '⚠️ The game does not respond.'],
    [
      event('backups.failed', { why: 'asked', reason: 'the *disk* is full' }),
      'trouble',
      '⚠️ A backup failed: the \\*disk\\* is full',
    ],
  ] as const)('%j', (happened, kind, text) => {
    expect(lineOf(happened, tellable)).toEqual({ cursor: 'k-1', text });
    expect(
      lineOf(
        happened,
        tellable.filter((one) => one !== kind),
      ),
    ).toEqual({ cursor: 'k-1' });
  });

  it('is the chat in any case, and what is lost for good', () => {
    const said = event('chat.said', { playerName: 'Ann', message: 'hi' });
    expect(lineOf(said, [])).toEqual({ cursor: 'k-1', speaker: 'Ann', text: 'hi' });
    expect(lineOf(event('gap', {}), []).text).toMatch(/were not recorded/);
  });

  it('is nothing of whatever else happens', () => {
    expect(lineOf(event('farm.saved', { saveGeneration: 1 }), tellable)).toEqual({ cursor: 'k-1' });
  });
});
