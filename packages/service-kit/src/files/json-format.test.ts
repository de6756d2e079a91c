import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { JsonFormat } from './json-format.ts';

function formatOf(version: number) {
  return new JsonFormat(version, z.object({ version: z.literal(version), trail: z.array(z.number()) }));
}

const version = fc.integer({ min: 1, max: 9 });

describe('a file of JSON', () => {
  it('of the current version is read', () => {
    expect(formatOf(3).read('{"version":3,"trail":[2]}')).toEqual({
      kind: 'content',
      content: { version: 3, trail: [2] },
    });
  });

  it('of any newer version is newer, whatever else is in it', () => {
    fc.assert(
      fc.property(
        version,
        fc.integer({ min: 1 }),
        fc.dictionary(fc.string(), fc.jsonValue()),
        (current, ahead, rest) => {
          const text = JSON.stringify({ ...rest, version: current + ahead });
          expect(formatOf(current).read(text)).toMatchObject({
            kind: 'newer',
            reason: expect.stringContaining(`format ${current + ahead}; this one reads up to ${current}`),
          });
        },
      ),
    );
  });

  it('without a version is read where its schema says so, and else corrupt', () => {
    const trail = z.object({ version: z.literal(1).optional(), trail: z.array(z.number()) });
    expect(new JsonFormat(1, trail).read('{"trail":[2]}')).toMatchObject({ content: { trail: [2] } });
    expect(formatOf(1).read('{"trail":[2]}')).toEqual({ kind: 'corrupt' });
  });

  it.each([
    '',
    '[]',
    '7',
    '{"version":"1","trail":[]}',
    '{"version":0,"trail":[]}',
    '{"version":1.5,"trail":[]}',
    '{"version":2}',
  ])('is corrupt as %j', (text) => {
    const plain = formatOf(2);
    expect(() => plain.read(text)).not.toThrow();
    expect(plain.read(text)).toEqual({ kind: 'corrupt' });
  });
});
