import { count } from '@steward/testing/scale';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { HookStory, type Mood, said, saved } from './stage/hook-story.ts';
import { messagesOf, unsaid } from './stage/judging.ts';

const hooks = { chat: ['chat'], farm: ['farm', 'players'] } as const;

type HookName = keyof typeof hooks;

const names = Object.keys(hooks) as HookName[];

const moods = [200, 204, 200, 500, 503, 404, 301, 429, 'lost', 'answer lost'] as const satisfies Mood[];

const steps = fc.oneof(
  fc.constantFrom('say', 'say', 'save', 'save'),
  fc.constantFrom('disk takes', 'disk takes', 'disk refuses', 'take all'),
  fc.constantFrom('stop', 'kill', 'kill after a commit', 'forget'),
  fc.record({ mood: fc.constantFrom(...moods), name: fc.constantFrom(...names) }),
  fc.record({ laterMs: fc.constantFrom(1_000, 5_000, 60_000, 3_600_000) }),
);

type Step = typeof steps extends fc.Arbitrary<infer One> ? One : never;

async function take(story: HookStory, step: Step): Promise<void> {
  if (typeof step === 'object') {
    if ('mood' in step) story.moods.set(step.name, step.mood);
    else await story.advance(step.laterMs);
    return;
  }
  switch (step) {
    case 'say':
      return story.happens(said('hello'));
    case 'save':
      return story.happens(saved(1));
    case 'take all':
      return story.settle();
    case 'disk takes':
      return story.disk('takes');
    case 'disk refuses':
      return story.disk('refuses');
    case 'forget':
      return story.forget(2);
    case 'kill after a commit':
      await story.disk('takes and does not say');
      return story.restart('kill');
    case 'stop':
    case 'kill':
      return story.restart(step);
  }
}

it('whatever befalls us, the disk and the receivers, nothing is lost untold, order holds, and what is doubled has the same id', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 10, maxLength: 60 }), async (taken) => {
      await using story = new HookStory();
      for (const name of names) await story.make(name, hooks[name]);
      for (const step of taken) await take(story, step);
      for (const name of names) story.moods.set(name, 200);
      await story.rest();
      await story.happens(said('the end'));
      await story.happens(saved(99));
      await story.rest();

      for (const name of names) {
        const wanted: readonly string[] = hooks[name];
        const cursors = story.told.filter(({ topic }) => wanted.includes(topic)).map(({ cursor }) => cursor);
        expect(unsaid(messagesOf(story.sentTo(name)), cursors)).toEqual([]);
      }
    }),
    { numRuns: count({ small: 20, long: 3_000 }) },
  );
});
