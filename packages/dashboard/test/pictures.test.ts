import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { sizes } from './stage/visitors.ts';

/** Light enough for who reads on a phone. */
const mostBytes = 60_000;

const root = new URL('../../../', import.meta.url);
const directory = new URL('docs/page/', root);
const pictures = readdirSync(directory).sort();

it('the documents show every picture that is made of the page, and no other', () => {
  const shown = ['README.md', 'docs/dashboard.md'].flatMap((file) =>
    [...readFileSync(new URL(file, root), 'utf8').matchAll(/(?:src|srcset)="([^"]+\.webp)"/g)].map(
      ([, path = '']) => new URL(path, new URL(file, root)).href,
    ),
  );
  const made = pictures.map((name) => new URL(name, directory).href);
  expect([...new Set(shown)].sort()).toEqual(made);
});

it.each(pictures)('%s is a small picture of the size that it says', (name) => {
  const bytes = readFileSync(new URL(name, directory));
  const [, size = ''] = /-(\w+)-(?:light|dark)\.webp$/.exec(name) ?? [];
  // The header of an extended WebP: its name, and each side less one in 24 bits.
  expect(bytes.toString('latin1', 8, 16)).toBe('WEBPVP8X');
  const side = (at: number) => bytes.readUIntLE(at, 3) + 1;
  expect({ width: side(24), height: side(27) }).toEqual(sizes[size as keyof typeof sizes]);
  expect(bytes.length).toBeLessThanOrEqual(mostBytes);
});
