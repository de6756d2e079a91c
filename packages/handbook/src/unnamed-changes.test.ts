import { expect, it } from 'vitest';
import { unnamedChanges } from './unnamed-changes.ts';

const changelog = (...entries: readonly string[]) =>
  `# Changelog\n\n## Unreleased\n\n${entries.map((entry) => `- ${entry}\n`).join('')}\n## 1.0.0\n\n- Breaking: \`GET /old\`\n`;

it.each([
  ['an operation that goes', 'GET /a is gone', 'Breaking: `GET /a`.'],
  ['a parameter', 'GET /a: the parameter n takes less', 'Breaking: `GET /a: the parameter n` ends at 9.'],
  ['a member', 'GET /a: 200 list[] id is gone', 'Breaking: `GET /a: 200 list[] id`'],
  ['what a member is in', 'GET /a: 200 list[] id is gone', 'Breaking: `GET /a: 200 list[]`'],
  ['a list that a member is in', 'GET /a: 200 list[] id is gone', 'Breaking: `GET /a: 200 list`'],
  ['a whole answer', 'GET /a: 200 no longer comes as text/plain', 'Breaking: `GET /a: 200`'],
  ['a place over two lines', 'GET /a: 200 list[] id is gone', 'Breaking: `GET /a: 200\n  list[] id`'],
])('a breaking change is named by %s', (_what, change, entry) => {
  expect(unnamedChanges([change], changelog('Something new', entry))).toEqual([]);
});

it.each([
  ['nothing says breaking', 'GET /a: 200 id is gone', 'Changed: `GET /a: 200 id`.'],
  [
    'something else is breaking',
    'GET /a: 200 id is gone',
    'Breaking: `GET /a: 200 name` is absent at times.',
  ],
  ['a name only begins alike', 'GET /a: 200 ids is gone', 'Breaking: `GET /a: 200 id`'],
  ['the operation alone is named', 'GET /a: 200 id is gone', 'Breaking: `GET /a`'],
  ['another operation is named', 'POST /a is gone', 'Breaking: `GET /a`'],
  ['it is not quoted', 'GET /a is gone', 'Breaking: GET /a'],
  ['an older version broke it', 'GET /old is gone', 'Breaking: `GET /a`'],
])('a breaking change is not named when %s', (_what, change, entry) => {
  expect(unnamedChanges([change], changelog(entry))).toEqual([change]);
});

it('one entry that says breaking does not speak for the others', () => {
  const changes = ['GET /a is gone', 'GET /b is gone'];
  expect(unnamedChanges(changes, changelog('Breaking: `GET /a`', 'And `GET /b`'))).toEqual([
    'GET /b is gone',
  ]);
});
