import { describe, expect, it, vi } from 'vitest';
import { goneBody, HookStory, hookUrl, said, saved, unspeakable } from './stage/hook-story.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

async function chatting(): Promise<HookStory> {
  const story = new HookStory();
  await story.make('channel', ['chat']);
  return story;
}

async function standing(story: HookStory) {
  return (await story.webhooks.list()).find(({ name }) => name === 'channel');
}

describe('a message', () => {
  it('that is taken is delivered once, and what happened before the webhook was made never', async () => {
    await using story = new HookStory();
    await story.happens(said('before'));
    await story.make('channel', ['chat']);
    await story.happens(said('hello'));
    await story.happens(saved(1));
    await story.rest();
    expect(story.heardBy('channel').map(({ event }) => event.data)).toEqual([
      { playerId: '1', playerIdStr: '1', playerName: 'Ann', message: 'hello' },
    ]);
    expect(await standing(story)).toMatchObject({
      state: 'active',
      lag: 0,
      lastDeliveryAt: expect.any(String),
    });
    expect(await story.webhooks.deliveries({})).toEqual([
      expect.objectContaining({ outcome: 'delivered', tries: 1, status: 200, type: 'chat.said' }),
    ]);
    expect(story.webhooks.tries).toEqual({ delivered: 1, failed: 0, givenUp: 0 });
  });

  it.each([404, 400, 301])(
    'that is refused with %i is given up after three tries, and kept; the next is told',
    async (status) => {
      await using story = await chatting();
      story.moods.set('channel', status);
      await story.happens(said('one'));
      for (let time = 0; time < 2; time += 1) await story.advance(minuteMs);
      expect(story.heardBy('channel')).toHaveLength(3);
      expect((await standing(story))?.failingSince).toBeDefined();
      story.moods.set('channel', 200);
      await story.happens(said('two'));
      await story.rest();
      expect(story.heardBy('channel').map(({ mood }) => mood)).toEqual([status, status, status, 200]);
      expect(await story.webhooks.deliveries({ outcome: 'givenUp' })).toEqual([
        expect.objectContaining({
          tries: 3,
          status,
          reason: expect.stringContaining(`it answered ${status}`),
        }),
      ]);
      expect((await standing(story))?.failingSince).toBeUndefined();
    },
  );

  it('that is refused once by a receiver that was away before is tried again: only refusals count', async () => {
    await using story = await chatting();
    story.moods.set('channel', 503);
    await story.happens(said('one'));
    for (let time = 0; time < 3; time += 1) await story.advance(minuteMs);
    story.moods.set('channel', 404);
    await story.advance(minuteMs);
    story.moods.set('channel', 200);
    await story.advance(2 * minuteMs);
    expect(story.heardBy('channel').map(({ mood }) => mood)).toEqual([503, 503, 503, 503, 404, 200]);
    expect(story.webhooks.tries).toEqual({ delivered: 1, failed: 5, givenUp: 0 });
  });

  it.each([
    ['for five minutes', {}, 5 * minuteMs],
    ['for as long as the receiver asks, if that is longer', { 'retry-after': '600' }, 10 * minuteMs],
  ])(
    'that is refused after a day’s outage keeps the others waiting %s after each refusal',
    async (_how, headers, ms) => {
      await using story = await chatting();
      story.moods.set('channel', 'lost');
      await story.happens(said('one'));
      await story.happens(said('two'));
      for (let hours = 0; hours < 24; hours += 1) await story.advance(hourMs);
      story.moods.set('channel', { kind: 'answered', status: 404, headers, body: '' });
      await story.advance(hourMs);
      const [first] = story.heardBy('channel');
      const refusals = () => story.heardBy('channel').filter(({ id }) => id === first?.id).length;
      for (let refused = 1; refused < 3; refused += 1) {
        await story.advance(ms - 1);
        expect(refusals()).toBe(refused);
        await story.advance(1);
        expect(refusals()).toBe(refused + 1);
      }
      story.moods.set('channel', 200);
      await story.rest();
      expect(await story.webhooks.deliveries({})).toMatchObject([
        { outcome: 'delivered' },
        { outcome: 'givenUp', status: 404 },
      ]);
    },
  );

  it.each([408, 409, 425, 429, 500, 503, 'answer lost', 'lost'] as const)(
    'that fails with %s is tried until it is taken, in its place',
    async (mood) => {
      await using story = await chatting();
      story.moods.set('channel', mood);
      await story.happens(said('one'));
      await story.happens(said('two'));
      for (let time = 0; time < 20; time += 1) await story.advance(hourMs);
      story.moods.set('channel', 200);
      await story.rest();
      const taken = story.heardBy('channel').filter((each) => each.mood === 200);
      expect(taken.map(({ event }) => 'message' in event.data && event.data.message)).toEqual(['one', 'two']);
      expect(story.webhooks.tries).toMatchObject({ delivered: 2, givenUp: 0 });
    },
  );

  it('is tried again after 5 s at first, and after an hour in the end', async () => {
    await using story = await chatting();
    story.moods.set('channel', 500);
    await story.happens(said('one'));
    const pauses: number[] = [];
    for (let waited = 0; pauses.length < 12; waited += 5_000) {
      const before = story.heardBy('channel').length;
      await story.advance(5_000);
      if (story.heardBy('channel').length === before) continue;
      pauses.push(waited + 5_000);
      waited = -5_000;
    }
    expect(pauses.slice(0, 4)).toEqual([5_000, 10_000, 20_000, 40_000]);
    expect(pauses.slice(-2)).toEqual([hourMs, hourMs]);
  });

  it.each([
    ['seconds', { 'retry-after': '120' }, 120_000],
    ['a date', { 'retry-after': new Date(Date.UTC(2026, 10, 21, 0, 10)).toUTCString() }, 600_000],
    ['more than an hour', { 'retry-after': '999999' }, hourMs],
    ['the template’s own rules', { 'pause-ms': '90000' }, 90_000],
    ['nonsense', { 'retry-after': 'soon' }, 5_000],
  ])('waits for as long as the receiver asks: %s', async (_what, headers, ms) => {
    await using story = await chatting();
    story.moods.set('channel', { kind: 'answered', status: 429, headers, body: '' });
    await story.happens(said('one'));
    await story.advance(ms - 1);
    expect(story.heardBy('channel')).toHaveLength(1);
    await story.advance(1);
    expect(story.heardBy('channel')).toHaveLength(2);
  });

  it('waits where the answer to the one before says that no more may come now', async () => {
    await using story = await chatting();
    story.moods.set('channel', { kind: 'answered', status: 204, headers: { 'pause-ms': '2500' }, body: '' });
    await story.happens(said('one'));
    await story.happens(said('two'));
    expect(story.heardBy('channel')).toHaveLength(1);
    await story.advance(2_500);
    expect(story.heardBy('channel')).toHaveLength(2);
  });

  it.each([
    ['after what is taken', 204, { 'pause-ms': '1e300' }, 0],
    ['after what is taken, in numbers that no clock has', 204, { 'pause-ms': '1e17' }, 0],
    ['after what is given up', 404, { 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' }, 2],
  ])('keeps nobody waiting for more than an hour %s', async (_what, status, headers, pauses) => {
    await using story = await chatting();
    story.moods.set('channel', { kind: 'answered', status, headers, body: '' });
    await story.happens(said('one'));
    for (let hours = 0; hours < pauses; hours += 1) await story.advance(hourMs);
    await story.settle();
    const { nextTryAt = '' } = (await standing(story)) ?? {};
    expect(Date.parse(nextTryAt) - story.clock.date().getTime()).toBeLessThanOrEqual(hourMs);
    await story.restart('stop');
    story.moods.set('channel', 200);
    await story.happens(said('two'));
    await story.rest();
    expect(story.heardBy('channel').filter(({ mood }) => mood === 200)).toHaveLength(1);
  });
});

describe('a webhook', () => {
  it('that answers 410 is off, says so to others, and told what it missed once it is resumed', async () => {
    await using story = await chatting();
    await story.make('admins', ['webhooks']);
    story.moods.set('channel', 410);
    await story.happens(said('one'));
    await story.happens(said('two'));
    await story.rest();
    expect(story.heardBy('channel')).toHaveLength(1);
    expect(await standing(story)).toMatchObject({
      state: 'off',
      lag: 2,
      reason: expect.stringContaining('410'),
    });
    expect(story.heardBy('admins').map(({ event }) => event)).toEqual([
      expect.objectContaining({
        type: 'webhooks.switchedOff',
        data: expect.objectContaining({ webhookName: 'channel', remedy: expect.stringContaining('resume') }),
      }),
    ]);
    expect(story.lines).toEqual([expect.stringContaining('the webhook "channel" is off')]);
    expect(story.webhooks.counts).toEqual({ active: 1, failing: 0, off: 1 });
    await story.restart('stop');
    expect(await standing(story)).toMatchObject({ state: 'off' });
    story.moods.set('channel', 200);
    const resuming = story.webhooks.resume({ name: 'CHANNEL' }, undefined);
    await story.settle();
    await resuming;
    await story.rest();
    expect(story.heardBy('channel').filter(({ mood }) => mood === 200)).toHaveLength(2);
    expect(await standing(story)).toMatchObject({ state: 'active', lag: 0 });
  });

  it('that is failing is tried at the next start, where a command resumed it while no service ran', async () => {
    await using story = await chatting();
    story.moods.set('channel', 'lost');
    await story.happens(said('one'));
    for (let tries = 0; tries < 20; tries += 1) await story.advance(hourMs);
    await story.settle();
    await story.restart('stop', false);
    expect(await standing(story)).toMatchObject({ nextTryAt: expect.any(String) });
    const resuming = story.webhooks.resume({ name: 'channel' }, undefined);
    await story.settle();
    await resuming;
    story.moods.set('channel', 200);
    await story.restart('stop');
    await story.settle();
    expect(story.heardBy('channel').map(({ mood }) => mood)).toEqual([200]);
  });

  it('whose receiver says in its own way that it is no more is off as well', async () => {
    await using story = await chatting();
    story.moods.set('channel', { kind: 'answered', status: 404, headers: {}, body: goneBody });
    await story.happens(said('one'));
    expect(await standing(story)).toMatchObject({
      state: 'off',
      reason: 'it answered 404: it accepts no more messages',
    });
  });

  it('that has failed for three days is off; one that could not be tried meanwhile is not', async () => {
    await using story = await chatting();
    story.moods.set('channel', 'lost');
    await story.happens(said('one'));
    await story.settle();
    await story.restart('stop');
    // Stopped for a week, say.
    story.clock.setWallClock(7 * dayMs);
    await story.advance(minuteMs);
    expect(await standing(story)).toMatchObject({ state: 'active' });
    for (let hours = 0; hours < 71; hours += 1) await story.advance(hourMs);
    expect(await standing(story)).toMatchObject({ state: 'off', reason: 'channel cannot be reached' });
    const id = (await standing(story))?.id;
    expect(story.webhooks.waiting).toEqual([{ id, isFailing: true, seconds: undefined }]);
  });

  it('that failed for an hour before the service was off for a week is not off at the first try', async () => {
    await using story = await chatting();
    story.moods.set('channel', 'lost');
    await story.happens(said('one'));
    for (let minutes = 0; minutes < 120; minutes += 1) await story.advance(minuteMs);
    await story.settle();
    await story.restart('stop');
    story.clock.setWallClock(7 * dayMs);
    for (let hours = 0; hours < 12; hours += 1) await story.advance(hourMs);
    expect(await standing(story)).toMatchObject({ state: 'active' });
    for (let hours = 0; hours < 71; hours += 1) await story.advance(hourMs);
    expect(await standing(story)).toMatchObject({ state: 'off' });
  });

  it('over which this service makes a mistake of another kind says so, and goes on', async () => {
    await using story = await chatting();
    vi.spyOn(story.log, 'recent').mockImplementationOnce(() => {
      throw new RangeError('nobody thought of this');
    });
    await story.happens(said('one'));
    expect(story.heardBy('channel')).toEqual([]);
    await story.rest();
    expect(story.heardBy('channel')).toHaveLength(1);
    expect(story.lines).toEqual([expect.stringContaining('webhook "channel"')]);
  });

  it('is told what happens at the last before the service stops, but nothing that has to wait', async () => {
    await using story = await chatting();
    await story.make('failing', ['chat']);
    story.moods.set('failing', 'lost');
    await story.happens(said('one'));
    story.log.append(said('last'));
    story.moods.set('failing', 200);
    const stopping = story.webhooks.stop();
    await story.settle();
    await stopping;
    expect(story.heardBy('channel')).toHaveLength(2);
    expect(story.heardBy('failing')).toHaveLength(0);
    await story.restart('stop');
    await story.rest();
    expect(story.heardBy('channel')).toHaveLength(2);
    expect(story.heardBy('failing')).toHaveLength(2);
  });

  it('that waits to be tried again is known to be behind from the start of the service on', async () => {
    await using story = await chatting();
    story.moods.set('channel', 'lost');
    await story.happens(said('one'));
    for (let minutes = 0; minutes < 60; minutes += 1) await story.advance(minuteMs);
    await story.settle();
    await story.restart('stop');
    const id = (await standing(story))?.id;
    expect(story.webhooks.waiting).toEqual([{ id, isFailing: true, seconds: expect.closeTo(3_601, 0) }]);
    expect(story.heardBy('channel')).toEqual([]);
  });

  it('that is not answered keeps nobody waiting, and is let go within a second when the service stops', async () => {
    await using story = await chatting();
    await story.make('other', ['chat']);
    story.moods.set('channel', 'silent');
    await story.happens(said('one'));
    await story.happens(said('two'));
    expect(story.heardBy('channel')).toHaveLength(1);
    expect(story.heardBy('other')).toHaveLength(2);
    const channel = (await standing(story))?.id;
    expect(story.webhooks.waiting.find(({ id }) => id !== channel)?.seconds).toBe(0);
    await story.advance(90_000);
    expect(story.webhooks.waiting).toContainEqual({ id: channel, isFailing: false, seconds: 90 });
    story.moods.set('channel', 200);
    await story.restart('stop');
    await story.rest();
    expect(story.heardBy('channel').map(({ id }) => id)).toEqual([
      story.heardBy('other')[0]?.id,
      story.heardBy('other')[0]?.id,
      story.heardBy('other')[1]?.id,
    ]);
  });

  it('is told of what retention removed as one gap in its place', async () => {
    await using story = await chatting();
    story.moods.set('channel', 'lost');
    for (let number = 1; number <= 12; number += 1) await story.happens(said(`line ${number}`));
    await story.settle();
    story.forget(3);
    await story.restart('stop');
    story.moods.set('channel', 200);
    await story.rest();
    expect(story.heardBy('channel').map(({ id }) => id.replace(/_.*-/, ' '))).toEqual([
      'gap 0',
      'evt 10',
      'evt 11',
      'evt 12',
    ]);
  });

  it('is told of one gap where a copy of the database is put back', async () => {
    await using story = await chatting();
    await story.happens(said('one'));
    await story.rest();
    await story.restart('put back');
    await story.happens(said('two'));
    await story.rest();
    expect(story.heardBy('channel').map(({ event }) => event.type)).toEqual([
      'chat.said',
      'gap',
      'chat.said',
    ]);
  });

  it('is told of a gap once the disk has taken that it will be, however often it refuses', async () => {
    await using story = await chatting();
    story.moods.set('channel', 'lost');
    for (let number = 1; number <= 12; number += 1) await story.happens(said(`line ${number}`));
    await story.settle();
    story.forget(3);
    await story.restart('stop');
    story.moods.set('channel', 200);
    await story.advance(hourMs);
    await story.disk('refuses');
    expect(story.heardBy('channel')).toEqual([]);
    await story.advance(1_000);
    await story.settle();
    expect(story.heardBy('channel').map(({ event }) => event.type)).toEqual([
      'gap',
      ...Array.from({ length: 3 }, () => 'chat.said'),
    ]);
  });

  it('that this service makes a mistake over is tried three times, given up, and keeps nothing behind it', async () => {
    const reason = 'an error in this service, with the message (RangeError)';
    await using story = await chatting();
    await story.happens(said(unspeakable));
    await story.settle();
    expect(await standing(story)).toMatchObject({ state: 'active', reason });
    await story.happens(said('two'));
    await story.rest();
    expect(story.heardBy('channel')).toHaveLength(1);
    expect(await story.webhooks.deliveries({ outcome: 'givenUp' })).toMatchObject([{ tries: 3, reason }]);
  });

  it('stands still while there is no database, and it is unknown what there is', async () => {
    await using story = await chatting();
    story.lost = 'it is damaged';
    await story.happens(said('one'));
    expect(story.heardBy('channel')).toEqual([]);
    await expect(story.webhooks.list()).rejects.toMatchObject({ code: 'state-unreadable' });
    await expect(story.webhooks.deliveries({})).rejects.toMatchObject({ code: 'state-unreadable' });
    await expect(story.webhooks.remove({ name: 'channel' }, undefined)).rejects.toMatchObject({
      code: 'state-unreadable',
    });
  });

  it('that is deleted is told nothing any more', async () => {
    await using story = await chatting();
    const removing = story.webhooks.remove({ name: 'channel' }, undefined);
    await story.settle();
    expect((await removing).result).toMatchObject({ operation: { state: 'applied' } });
    await story.happens(said('one'));
    await story.rest();
    expect(story.heardBy('channel')).toEqual([]);
    expect(await story.webhooks.list()).toEqual([]);
    await story.restart('stop');
    expect(await story.webhooks.list()).toEqual([]);
  });

  it('that is deleted leaves nothing of its URL and its secret in the database, in no free page either', async () => {
    await using story = new HookStory();
    await story.make('channel', ['chat']);
    for (const mood of [500, 200]) {
      story.moods.set('channel', mood);
      await story.happens(said(`answered with ${mood}`));
      await story.rest();
    }
    await story.restart('stop');
    expect(story.onDisk).toContain(hookUrl('channel'));
    const removing = story.webhooks.remove({ name: 'channel' }, undefined);
    await story.settle();
    await removing;
    await story.restart('stop');
    expect(story.onDisk).not.toContain(hookUrl('channel'));
    expect(story.onDisk).not.toContain('whsec_');
  });

  it('is tested whatever it waits for, and that counts for nothing', async () => {
    await using story = await chatting();
    story.moods.set('channel', 500);
    const testing = story.webhooks.test({ name: 'channel' }, 'k-1');
    await story.settle();
    const result = await testing;
    expect(result).toMatchObject({
      operation: {
        outcome: { after: { test: { delivered: false, status: 500, reason: 'it answered 500' } } },
      },
    });
    expect(await story.webhooks.test({ name: 'channel' }, 'k-1')).toEqual(result);
    expect(story.heardBy('channel')).toEqual([
      expect.objectContaining({ event: expect.objectContaining({ type: 'test' }) }),
    ]);
    expect((await standing(story))?.failingSince).toBeUndefined();
    expect(story.webhooks.tries).toEqual({ delivered: 0, failed: 0, givenUp: 0 });
  });
});

it('a webhook is made once, its secret shown once, and never one more than there may be', async () => {
  await using story = new HookStory();
  const asked = { name: 'channel', topics: ['chat'], url: hookUrl('channel') } as const;
  const make = async (more: Partial<typeof asked> | object, key?: string) => {
    const making = story.webhooks.create({ ...asked, ...more }, key);
    making.catch(() => {});
    await story.settle();
    return await making;
  };
  expect((await make({}, 'k-1')).secret).toMatch(/^whsec_[\w+/]{43}=$/);
  expect(await make({}, 'k-1')).toMatchObject({
    secret: undefined,
    result: { operation: { state: 'applied' } },
  });
  expect(await make({ url: hookUrl('other') }, 'k-1')).toMatchObject({ result: { kind: 'key-reused' } });
  await expect(make({ name: 'Channel' })).rejects.toMatchObject({ code: 'webhook-name-taken' });
  await expect(make({ name: 'x', url: 'https://forbidden.example' })).rejects.toMatchObject({
    code: 'webhook-url-refused',
  });
  expect((await make({ name: 'discord', template: 'discord' })).secret).toBeUndefined();
  for (let number = 3; number <= 50; number += 1) await make({ name: `number ${number}` });
  await expect(make({ name: 'one more' })).rejects.toMatchObject({ code: 'too-many-webhooks' });
  await expect(story.webhooks.resume({ id: 'hook_000000000000' }, undefined)).rejects.toMatchObject({
    code: 'webhook-not-found',
  });
});
