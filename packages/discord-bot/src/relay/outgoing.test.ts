import { join } from 'node:path';
import { DiscordAPIError } from '@discordjs/rest';
import { ManualClock } from '@steward/testing/manual-clock';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it, vi } from 'vitest';
import { Outgoing } from './outgoing.ts';
import { PlacesFile } from './places.ts';
import type { Post } from './posts.ts';

it('a post from before is made by the bot itself, with its speaker, where the webhook has gone meanwhile', async () => {
  using directory = temporaryDirectory();
  const left: Post = { content: 'hello', name: 'Ann', nonce: 'n', since: '1', upTo: 'a-2' };
  const file = new PlacesFile(join(directory.path, 'places.json'), { channel: '7', posting: left });
  const stopping = new AbortController();
  const find = vi.fn(async () => undefined);
  const posted: Post[] = [];
  const channel = {
    ...{ hasNames: false, newest: '1', find },
    giveUpWebhook: () => {},
    async post(post: Post) {
      posted.push(post);
      stopping.abort();
      return '2';
    },
  };
  const log = { warn: () => {} };
  const outgoing = new Outgoing({ channel, file, clock: new ManualClock(), random: () => 0, log });
  await outgoing.run(stopping.signal);
  // It may have come under her name.
  expect(find.mock.calls).toEqual([[left]]);
  expect(posted).toMatchObject([{ content: '**Ann**: hello', nonce: 'n', upTo: 'a-2' }]);
  expect(posted[0]).not.toHaveProperty('name');
});

it.each([
  ['of one speaker', 3],
  ['of a crowd', 8],
])('what Discord does not take costs nobody else a line: %s', async (_whose, count) => {
  using directory = temporaryDirectory();
  const file = new PlacesFile(join(directory.path, 'places.json'), { channel: '7', farm: 'a-0' });
  const stopping = new AbortController();
  const harmful = new DiscordAPIError(
    { code: 240_000, message: 'Message blocked by harmful links filter' },
    ...([240_000, 400, 'POST', 'https://discord.example/', { files: undefined, body: undefined }] as const),
  );
  const posted: { readonly content: string; readonly behind: string | undefined }[] = [];
  const channel = {
    ...{ hasNames: true, newest: '1', find: async () => undefined },
    giveUpWebhook: () => {},
    async post({ content }: Post) {
      if (content.includes('https://bad.example')) throw harmful;
      posted.push({ content, behind: file.places.farm });
      if (content.includes('the last')) stopping.abort();
      return '2';
    },
  };
  const warn = vi.fn();
  const outgoing = new Outgoing({ channel, file, clock: new ManualClock(), random: () => 0, log: { warn } });
  for (let line = 1; line <= count; line += 1) {
    const text = line === 2 ? 'see https://bad.example/x' : line === count ? 'the last' : `line ${line}`;
    await outgoing.add({ cursor: `a-${line}`, speaker: count > 5 && line % 2 === 0 ? 'Bo' : 'Ann', text });
  }
  await outgoing.run(stopping.signal);
  // Each goes by itself until all that were together are past; a process that ends meanwhile begins behind the last.
  expect(posted.slice(0, 3)).toEqual([
    { content: 'line 1', behind: 'a-0' },
    { content: expect.stringContaining('did not accept a line'), behind: 'a-1' },
    { content: count === 3 ? 'the last' : 'line 3', behind: 'a-2' },
  ]);
  expect(posted).toHaveLength(count);
  expect(file.places).toMatchObject({ farm: `a-${count}`, posting: undefined });
  expect(warn.mock.calls.map(([, text]) => text)).toEqual([
    'Discord refused a post',
    'Discord refused a post',
  ]);
});

it('what Discord took of nobody before a restart is told of, and not tried for ever', async () => {
  using directory = temporaryDirectory();
  const left: Post = { content: 'hello', nonce: 'n', since: '1', upTo: 'a-2' };
  const file = new PlacesFile(join(directory.path, 'places.json'), { channel: '7', posting: left });
  const stopping = new AbortController();
  const asked: string[] = [];
  const channel = {
    ...{ hasNames: false, newest: '1', find: async () => undefined },
    giveUpWebhook: () => {},
    async post({ content, upTo }: Post): Promise<string> {
      asked.push(`${upTo} ${content}`);
      if (asked.length === 2) stopping.abort();
      throw new DiscordAPIError(
        { code: 20_009, message: 'Explicit content' },
        ...([
          20_009,
          400,
          'POST',
          'https://discord.example/',
          { files: undefined, body: undefined },
        ] as const),
      );
    },
  };
  const log = { warn: () => {} };
  const outgoing = new Outgoing({ channel, file, clock: new ManualClock(), random: () => 0, log });
  await outgoing.run(stopping.signal);
  expect(asked).toEqual(['a-2 hello', expect.stringMatching(/^a-2 .*did not accept/)]);
  expect(file.places.farm).toBe('a-2');
});
