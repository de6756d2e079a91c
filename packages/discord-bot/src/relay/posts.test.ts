import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mostContent } from '../text/outward.ts';
import { bold, type Line } from './lines.ts';
import { crowd, nextPost, withoutName } from './posts.ts';

const line = fc.record({
  speaker: fc.constantFrom('Ann', 'Bo', '*'.repeat(90), undefined),
  length: fc.integer({ min: 0, max: 1_700 }),
});

function linesOf(drawn: readonly { speaker: string | undefined; length: number }[]): Line[] {
  return drawn.map(({ speaker, length }, index) => ({
    cursor: `k-${index}`,
    ...(speaker === undefined ? {} : { speaker }),
    ...(length === 0 ? {} : { text: `<${index}>${'x'.repeat(length - 1)}`.slice(0, 1_700) }),
  }));
}

it('every line is in one post, in order, and no post is more than Discord takes', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), fc.boolean(), (drawn, hasNames) => {
      const lines = linesOf(drawn);
      const waiting = [...lines];
      const shown: string[] = [];
      for (;;) {
        const post = nextPost(waiting, hasNames);
        if (post === undefined) break;
        expect(post.lines).toBeGreaterThan(0);
        expect(post.content.trim()).not.toBe('');
        expect(post.content.length).toBeLessThanOrEqual(mostContent);
        const { content, name } = { ...post, ...withoutName({ ...post, since: '1' }) };
        expect(content.length).toBeLessThanOrEqual(mostContent);
        if (name !== undefined)
          expect(content.split('\n').filter((each) => !each.startsWith(`${bold(name)}: `))).toEqual([]);
        expect(post.upTo).toBe(waiting[post.lines - 1]?.cursor);
        expect(post.nonce.length).toBeLessThanOrEqual(25);
        shown.push(post.content);
        waiting.splice(0, post.lines);
      }
      expect(waiting.every(({ text }) => text === undefined)).toBe(true);
      const numbers = shown.flatMap((text) =>
        [...text.matchAll(/<(\d+)>/g)].map(([, number]) => Number(number)),
      );
      expect(numbers).toEqual(
        lines.flatMap(({ text }, index) => (text?.startsWith(`<${index}>`) ? [index] : [])),
      );
    }),
  );
});

it('each speaks under a name of their own, and in a crowd all in one post', () => {
  const few = linesOf([
    { speaker: 'Ann', length: 9 },
    { speaker: 'Ann', length: 9 },
    { speaker: 'Bo', length: 9 },
  ]);
  expect(nextPost(few, true)).toMatchObject({ name: 'Ann', lines: 2 });
  const many = linesOf(
    Array.from({ length: crowd + 1 }, (_, index) => ({ speaker: index % 2 ? 'Ann' : 'Bo', length: 9 })),
  );
  expect(nextPost(many, true)).toMatchObject({ lines: many.length });
  expect(nextPost(many, true)).not.toHaveProperty('name');
});

it('nobody speaks as the news of the farm, whoever is called like the webhook that tells them', () => {
  const [said] = linesOf([{ speaker: 'Ann', length: 9 }]);
  const post = nextPost([{ ...said, cursor: 'k-0', text: 'The game crashed', speaker: 'Farm' }], true);
  expect(post).toMatchObject({ content: '**Farm**: The game crashed' });
  expect(post).not.toHaveProperty('name');
});

it('what is told at one place of the events is another post: Discord takes each once', () => {
  const [said] = linesOf([{ speaker: 'Ann', length: 9 }]);
  const gap = { cursor: 'k-0', text: 'some of it is gone' };
  expect(nextPost([gap], false)?.nonce).not.toBe(nextPost(said === undefined ? [] : [said], false)?.nonce);
});

it('the same lines make the same post again, which Discord takes once', () => {
  const lines = linesOf([{ speaker: 'Ann', length: 9 }]);
  expect(nextPost(lines, true)).toEqual(nextPost(lines, true));
});
