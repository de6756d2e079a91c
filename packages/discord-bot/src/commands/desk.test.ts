import { setImmediate } from 'node:timers/promises';
import type { API } from '@discordjs/core/http-only';
import { type Farm, StewardError } from '@steward/client';
import { ManualClock } from '@steward/testing/manual-clock';
import { type APIInteraction, ApplicationCommandType, InteractionType } from 'discord-api-types/v10';
import { describe, expect, it } from 'vitest';
import { Desk } from './desk.ts';
import { commands } from './table.ts';

interface Asking {
  readonly command?: string;
  /** The server that it is asked on. */
  readonly guild?: string;
  /** What each try to show the answer meets. */
  readonly failures?: readonly Error[];
}

/** A desk at which an administrator asks for a backup, or something else, and what becomes of it. */
function deskWith(
  farm: Partial<Record<keyof Farm, unknown>>,
  { command = 'backup', guild = '2', failures = [] }: Asking = {},
) {
  const left = [...failures];
  const clock = new ManualClock();
  const shown: string[] = [];
  const api = {
    interactions: {
      defer: async () => {},
      editReply: async (_application: string, _token: string, { content }: { content: string }) => {
        const failure = left.shift();
        if (failure !== undefined) throw failure;
        shown.push(content);
      },
    },
    channels: {
      createMessage: async (_channel: string, { content }: { content: string }) =>
        void shown.push(`channel: ${content}`),
    },
  } as unknown as API;
  const desk = new Desk({
    api,
    application: '1',
    guild: '2',
    farm: farm as unknown as Farm,
    names: () => undefined,
    operatorRoles: [],
    clock,
    random: () => 0,
    log: { info: () => {}, warn: () => {} },
    signal: new AbortController().signal,
  });
  const interaction = {
    id: '3',
    token: 't',
    type: InteractionType.ApplicationCommand,
    guild_id: guild,
    data: { type: ApplicationCommandType.ChatInput, name: command },
    member: { permissions: '8', roles: [], user: { id: '4', username: 'olga' } },
    channel: { id: '5' },
  } as unknown as APIInteraction;
  return {
    shown,
    answered: desk.answer(interaction),
    async pass(ms: number) {
      for (let passed = 0; passed < ms; passed += 3_000) {
        for (let turn = 0; turn < 5; turn += 1) await setImmediate();
        clock.advance(3_000);
      }
    },
  };
}

/** A desk whose commands Discord does not take, until it does. */
function refusedDesk() {
  const clock = new ManualClock();
  const lines: unknown[] = [];
  let refusal: string | undefined = 'Missing Access';
  let asked = 0;
  const desk = new Desk({
    api: {
      applicationCommands: {
        async getGuildCommands() {
          asked += 1;
          if (refusal !== undefined) throw new Error(refusal);
          return [];
        },
        bulkOverwriteGuildCommands: async () => [],
      },
    } as unknown as API,
    application: '1',
    guild: '2',
    farm: {} as Farm,
    names: () => undefined,
    operatorRoles: [],
    clock,
    random: () => 0,
    log: { info: () => lines.push('set'), warn: (facts) => lines.push(facts) },
    signal: new AbortController().signal,
  });
  return {
    clock,
    lines,
    desk,
    asked: () => asked,
    refuse(reason: string | undefined) {
      refusal = reason;
    },
    /** As the bot offers them: at each look at the farm. */
    async offerFor(ms: number, chosen = commands) {
      for (const end = clock.now() + ms; clock.now() < end; clock.advance(minuteMs)) await desk.offer(chosen);
    },
  };
}

const minuteMs = 60_000;

describe('commands that Discord does not take', () => {
  it('are offered again after pauses that grow to an hour, until it takes them', async () => {
    const at = refusedDesk();
    // After 1, 2, 4, 8, 16 and 32 minutes, and then each hour.
    await at.offerFor(64 * minuteMs);
    expect(at.asked()).toBe(7);
    await at.offerFor(240 * minuteMs);
    expect(at.asked()).toBe(11);
    at.refuse(undefined);
    await at.offerFor(120 * minuteMs);
    expect([at.asked(), at.lines.at(-1)]).toEqual([12, 'set']);
  });

  it('are offered at once where they are others', async () => {
    const at = refusedDesk();
    await at.offerFor(10 * minuteMs);
    const asked = at.asked();
    await at.desk.offer(commands.slice(1));
    expect(at.asked()).toBe(asked + 1);
  });

  it('are told of once for each reason, and again when it had taken some', async () => {
    const at = refusedDesk();
    await at.offerFor(120 * minuteMs);
    at.refuse('Unavailable');
    await at.offerFor(120 * minuteMs);
    expect(at.lines).toEqual([{ reason: 'Missing Access' }, { reason: 'Unavailable' }]);
    at.refuse(undefined);
    await at.offerFor(120 * minuteMs);
    at.refuse('Unavailable');
    await at.desk.offer(commands.slice(1));
    expect(at.lines.slice(2)).toEqual(['set', { reason: 'Unavailable' }]);
  });
});

const underWay = { success: true, message: 'A backup is being made', operationId: '900' };
const ends = (states: readonly (string | StewardError)[]) => {
  const left = [...states];
  return async () => {
    const state = left.length > 1 ? left.shift() : left[0];
    if (state instanceof StewardError) throw state;
    return { state, why: 'the disk is full' };
  };
};

describe('what takes long', () => {
  it('is told at once and again when it ends, also over an answer that is lost', async () => {
    const lost = new StewardError('network', 'no answer');
    const desk = deskWith({
      createBackup: async () => underWay,
      getOperation: ends(['claimed', lost, 'applied']),
    });
    await desk.pass(12_000);
    await desk.answered;
    expect(desk.shown).toEqual(['A backup is being made', '/backup: done.']);
  });

  it('is told with the day that is lost, where the farm could not be saved', async () => {
    const ended = { state: 'applied', after: { isSaved: false, isBack: false } };
    const desk = deskWith({ createBackup: async () => underWay, getOperation: async () => ended });
    await desk.pass(12_000);
    expect(desk.shown.at(-1)).toBe('/backup: done, but the farm was not saved: the day is lost.');
  });

  it('is told with the reason where it fails', async () => {
    const desk = deskWith({ createBackup: async () => underWay, getOperation: ends(['claimed', 'refused']) });
    await desk.pass(12_000);
    expect(desk.shown.at(-1)).toBe('/backup has failed: the disk is full');
  });

  it('is not called failed where nobody will ever know: it may have been done', async () => {
    const ended = { state: 'unknown', why: 'it was cut off' };
    let looks = 0;
    const desk = deskWith({
      createBackup: async () => underWay,
      getOperation: async () => {
        looks += 1;
        return looks < 3 ? ended : { ...ended, forGood: true };
      },
    });
    await desk.pass(12_000);
    expect(looks).toBe(3);
    expect(desk.shown.at(-1)).toBe(
      '/backup: it is unknown whether this was done (it was cut off). Check before you repeat it.',
    );
  });

  it('is told in the channel where Discord takes no more answers', async () => {
    const desk = deskWith({
      createBackup: async () => underWay,
      getOperation: ends([...Array.from({ length: 300 }, () => 'claimed'), 'applied']),
    });
    await desk.pass(36 * minuteMs);
    expect(desk.shown).toEqual(['A backup is being made', 'channel: /backup: done.']);
  });

  it('is asked about each minute where Discord takes no more answers, and for a day, where it never ends', async () => {
    let looks = 0;
    const desk = deskWith({
      createBackup: async () => underWay,
      getOperation: async () => {
        looks += 1;
        return { state: 'claimed' };
      },
    });
    await desk.pass((24 * 60 + 10) * minuteMs);
    await desk.answered;
    const everyThreeSeconds = 14 * 20;
    const everyMinute = 24 * 60 - 14;
    expect(looks).toBe(everyThreeSeconds + everyMinute);
    expect(desk.shown).toEqual([
      'A backup is being made',
      'channel: /backup: it is still not known how this ended. Check before you repeat it.',
    ]);
  });
});

it('nobody is heard on another server, where anybody may be an administrator', async () => {
  let isAsked = false;
  const getInviteCode = async () => {
    isAsked = true;
    return { inviteCode: 'C' };
  };
  const desk = deskWith({ getInviteCode }, { command: 'code', guild: '6' });
  await desk.answered;
  expect([isAsked, desk.shown]).toEqual([false, []]);
});

it('an answer that did not arrive is shown again: whoever asked would wait for ever', async () => {
  const desk = deskWith(
    { createBackup: async () => ({ success: true, message: 'Made' }) },
    { failures: [new TypeError('fetch failed')] },
  );
  await desk.pass(9_000);
  await desk.answered;
  expect(desk.shown).toEqual(['Made']);
});

it('where the farm is, and what is wrong with the key, is not told to everybody', async () => {
  const away = new StewardError(
    'network',
    'The server cannot be reached at http://10.0.0.7:8080: ECONNREFUSED',
  );
  const desk = deskWith({ getStatus: async () => Promise.reject(away) }, { command: 'status' });
  await desk.answered;
  expect(desk.shown).toEqual(['This was not done: The farm cannot be reached.']);
});

it('a farm that takes too long is not called out of reach', async () => {
  const late = new StewardError('timeout', 'No final answer within 90000 ms', { applied: null });
  const desk = deskWith({ saveGame: async () => Promise.reject(late) }, { command: 'save' });
  await desk.answered;
  expect(desk.shown).toEqual([
    'It is not known yet whether this was done: The farm has not answered in time.',
  ]);
});

it('a list that is too long for one message is cut between two names', async () => {
  const players = Array.from({ length: 40 }, (_, index) => ({
    name: `${'_'.repeat(99)}${index}`,
    isOnline: true,
  }));
  const desk = deskWith({ listPlayers: async () => ({ players }) }, { command: 'players' });
  await desk.answered;
  const [text = ''] = desk.shown;
  expect(text.length).toBeLessThanOrEqual(2_000);
  expect(text).toMatch(/ and \d+ more$/);
});

it('whom a name fits is told with their ids, so that the right one can be named', async () => {
  const matches = [
    { id: 620826087702429092n, idStr: '620826087702429092', name: '_Bo_' },
    { id: 7n, idStr: '7', name: '_Bo_' },
  ];
  const ambiguous = new StewardError('ambiguous-name', 'Several have this name', {
    status: 409,
    problem: { code: 'ambiguous-name', matches } as unknown as NonNullable<StewardError['problem']>,
  });
  const desk = deskWith({ kickPlayer: async () => Promise.reject(ambiguous) }, { command: 'kick' });
  await desk.answered;
  expect(desk.shown).toEqual([
    'This was not done: Several have this name\n• 620826087702429092 \\_Bo\\_\n• 7 \\_Bo\\_',
  ]);
});

it('however much keeps players out, the status is one message', async () => {
  const obstacles = Array.from({ length: 9 }, () => ({ reason: '_'.repeat(500), remedy: '*'.repeat(500) }));
  const status = { isOnline: false, obstacles };
  const desk = deskWith({ getStatus: async () => status }, { command: 'status' });
  await desk.answered;
  expect(desk.shown[0]?.length).toBeLessThanOrEqual(2_000);
});
