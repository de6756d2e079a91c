import { join } from 'node:path';
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
