import { expect, it } from 'vitest';
import { wrongWords } from './texts.ts';

it('finds a phrase in the prose of a page, and says what to write', () => {
  expect(wrongWords('docs/page.md', 'One\n\nThis mends it.')).toEqual([
    'docs/page.md:3: “mends”: write fix; “how to fix it”',
  ]);
});

it('leaves what is typed and printed alone', () => {
  expect(wrongWords('docs/page.md', 'Run `mend`:\n\n```sh\nmend by hand\n```\n')).toEqual([]);
});

it('reads the texts of code, and neither its names nor its comments', () => {
  const code = ["const mend = 'mend';", '// mended by hand', "log('It is mended');"].join('\n');
  expect(wrongWords('a/src/b.ts', code)).toEqual(['a/src/b.ts:3: “mended”: write fix; “how to fix it”']);
});

it('reads a text of several lines, as help is one', () => {
  const code = 'const usage = `Usage:\n\n  --again  does it anew\n`;\nconst anew = 1;';
  expect(wrongWords('a/src/b.ts', code)).toEqual(['a/src/b.ts:3: “anew”: write again']);
});

it('reads the comments that operators read', () => {
  expect(wrongWords('docker-compose.yml', 'mend: 1\n# done anew')).toHaveLength(1);
});

it.each([
  ['docs/page.md', '<!-- plain-words: a name -->\nThe Mend inn'],
  ['a/src/b.ts', "say('The Mend inn'); // plain-words: a name"],
])('bears an exception that says why: %s', (path, text) => {
  expect(wrongWords(path, text)).toEqual([]);
});

it('bears none without a reason', () => {
  expect(wrongWords('docs/page.md', '<!-- plain-words: -->\nThe Mend inn')).toHaveLength(1);
});
