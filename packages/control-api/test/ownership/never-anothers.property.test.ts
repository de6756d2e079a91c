import { count, seed } from '@steward/testing/scale';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openVillage } from './stage/owners-stage.ts';
import { type Counts, play, someStep } from './stage/story.ts';
import { freshSlot } from './stage/village.ts';

const runs = count({ small: 30, long: 3_000 });

it('never gives a farmhand to another identity, whoever comes, goes, crashes, lies or is rebound', async ({
  annotate,
}) => {
  const counts: Counts = { joins: 0, refusals: 0, owned: 0 };
  const story = fc.array(someStep(['1', '2', '3']), { minLength: 25, maxLength: 60, size: 'max' });
  await fc.assert(
    fc.asyncProperty(story, async (steps) => {
      await using stage = await openVillage({ slots: ['1', '2', '3'].map(freshSlot) });
      await play(steps, stage, counts);
    }),
    { numRuns: runs, seed },
  );
  // It would mean little if hardly anybody came, or was refused, or had anything to lose.
  for (const happened of Object.values(counts)) expect(happened).toBeGreaterThan(runs);
  await annotate(`${runs} stories, ${JSON.stringify(counts)}, seed ${seed}`);
}, 3_600_000);
