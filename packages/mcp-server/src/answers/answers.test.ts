import { StewardError } from '@steward/client';
import { answers } from '@steward/shared/api/answers';
import { endpointIds } from '@steward/shared/api/endpoints';
import { anyText } from '@steward/testing/hostile/text';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deedOf } from '../tools/deeds.ts';
import { withoutTool } from '../tools/toolsets.ts';
import { compact } from './compact.ts';
import { seenText } from './player-text.ts';
import { failureOf } from './results.ts';

const how = { showsPlayerText: true, mostListed: 3 };

describe('an answer', () => {
  it('has each id once, as text with every digit', () => {
    expect(
      compact({ playerId: 620826087702429092n, playerIdStr: '620826087702429092', isOnline: true }, how),
    ).toEqual({ playerId: '620826087702429092', isOnline: true });
    expect(compact({ savedPositionPlayerIds: [1n, 2n], savedPositionPlayerIdStrs: ['1', '2'] }, how)).toEqual(
      {
        savedPositionPlayerIds: ['1', '2'],
      },
    );
  });

  it('says how much of a list it leaves out', () => {
    expect(compact({ days: [1, 2, 3, 4, 5] }, how)).toEqual({ days: [1, 2, 3], daysLeftOut: 2 });
  });

  it('has apart what players say, and leaves a schedule its name', () => {
    const player = { id: 1n, idStr: '1', name: 'Ann', isOnline: true };
    expect(compact({ players: [player], schedules: [{ id: 's', name: 'nightly' }] }, how)).toEqual({
      players: [{ id: '1', isOnline: true, saidByPlayer: { name: 'Ann' } }],
      schedules: [{ id: 's', name: 'nightly' }],
    });
    expect(compact(player, { ...how, showsPlayerText: false })).toEqual({ id: '1', isOnline: true });
  });

  it('has apart what may name who plays: the host of a save, and why a schedule did not do its work', () => {
    const reason = 'Somebody plays (Ann)';
    expect(
      compact(
        {
          farms: [{ id: 'f', farmName: 'Sunnybrook', farmer: 'Ann' }],
          lastRun: { at: 'then', outcome: 'failed', reason },
          data: { scheduleId: 's', scheduleName: 'nightly', reason },
          delivery: { webhookId: 'w', outcome: 'given-up', reason: 'it answered 500' },
        },
        how,
      ),
    ).toEqual({
      farms: [{ id: 'f', farmName: 'Sunnybrook', saidByPlayer: { farmer: 'Ann' } }],
      lastRun: { at: 'then', outcome: 'failed', saidByPlayer: { reason } },
      data: { scheduleId: 's', scheduleName: 'nightly', saidByPlayer: { reason } },
      delivery: { webhookId: 'w', outcome: 'given-up', reason: 'it answered 500' },
    });
  });

  it('has apart each line of the game’s log, in its own words, and not when it was written', () => {
    const at = '2026-11-21T06:30:00.000Z';
    const log = { lines: [{ at, stream: 'stdout', text: 'Ann says hello' }] };
    expect(compact(log, how)).toEqual({
      lines: [{ at, stream: 'stdout', saidByPlayer: { text: 'Ann says hello' } }],
    });
  });

  it('shows no text that could be hidden from people, however it was written', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 2_000 }), (text) => {
        const seen = seenText(text);
        expect([...seen].length).toBeLessThanOrEqual(450);
        expect(seen.isWellFormed()).toBe(true);
        expect(seen).not.toMatch(/[\p{Cc}\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/u);
      }),
    );
  });
});

describe('a failure', () => {
  const told = (code: StewardError['code'], more: object = {}, isDeed = true) =>
    failureOf(new StewardError(code, 'Ann is not here', more), {
      isDeed,
      showsPlayerText: true,
      inWords: (text) => text,
    }).structuredContent;

  it('keeps apart words that name somebody', () => {
    expect(told('player-offline')).toMatchObject({
      detail: expect.not.stringContaining('Ann'),
      saidByPlayer: { detail: 'Ann is not here' },
    });
  });

  it('says whether it may have been done all the same, and how to find out', () => {
    expect(told('outcome-unknown', { applied: null, operationId: '7' })).toMatchObject({
      applied: null,
      operationId: '7',
      remedy: expect.stringContaining('get_operation'),
    });
    expect(told('network', { applied: null })).toMatchObject({
      applied: null,
      remedy: expect.stringContaining('check the farm'),
    });
    expect(told('command-void', { applied: false })).toMatchObject({ applied: false });
    expect(told('network', {}, false)).toMatchObject({ remedy: expect.stringContaining('STEWARD_URL') });
  });
});

it('what may go on is what the API answers with 202', () => {
  const goesOn = endpointIds.filter((id) => 202 in answers[id] && !(id in withoutTool));
  expect(endpointIds.filter((id) => deedOf(id)?.mayGoOn)).toEqual(goesOn);
});
