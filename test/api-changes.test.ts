import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type ApiDocument, breakingChanges, unnamedChanges } from './api-changes.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

/** The commit that this one is to be merged into; CI names it, a person's checkout has it as main. */
const base = process.env['BASE_REF'] || 'main';

function git(...args: string[]): string | undefined {
  try {
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return undefined;
  }
}

it('nothing that clients rely on has changed since the base but what the changelog names as breaking', ({
  skip,
}) => {
  const ancestor = git('merge-base', 'HEAD', base)?.trim() ?? base;
  const committed = git('show', `${ancestor}:docs/api-spec.json`);
  if (committed === undefined) return skip(`there is no ${base} here to compare with`);
  const now = JSON.parse(readFileSync(`${root}/docs/api-spec.json`, 'utf8')) as ApiDocument;
  const changes = breakingChanges(JSON.parse(committed) as ApiDocument, now);
  expect(unnamedChanges(changes, readFileSync(`${root}/CHANGELOG.md`, 'utf8'))).toEqual([]);
});

const before = JSON.stringify({
  paths: {
    '/a': {
      get: {
        parameters: [
          { name: 'n', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 9 } },
          { name: 'e', in: 'query', schema: { enum: ['x', 'y'] } },
          { name: 't', in: 'query', schema: { type: ['integer', 'string'] } },
        ],
        responses: {
          200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/A' } } } },
        },
      },
    },
  },
  components: {
    schemas: {
      A: {
        type: 'object',
        properties: {
          list: { type: 'array', items: { type: 'object', properties: { id: { type: 'string' } } } },
        },
        required: ['list'],
      },
    },
  },
});

/** What the change of a piece of the document's text breaks. */
function broken(from: string, to: string): readonly string[] {
  expect(before).toContain(from);
  return breakingChanges(JSON.parse(before), JSON.parse(before.replace(from, to)));
}

describe('a change to the document breaks clients when', () => {
  it.each([
    ['a path goes', '"/a":', '"/b":', 'GET /a is gone'],
    ['a method goes', '"get":', '"post":', 'GET /a is gone'],
    ['a parameter goes', '"name":"n"', '"name":"m"', 'the parameter n is gone'],
    ['a parameter must be given', '"name":"n",', '"name":"n","required":true,', 'n must now be given'],
    ['a range narrows below', '"minimum":1', '"minimum":2', 'n takes less'],
    ['a range narrows above', '"maximum":9', '"maximum":8', 'n takes less'],
    ['a type is another', '"type":"integer",', '"type":"string",', 'n takes less'],
    ['one of several types goes', '["integer","string"]', '["string"]', 't takes less'],
    ['a type is asked for', '"schema":{"enum"', '"schema":{"type":"string","enum"', 'e takes less'],
    ['a choice goes', '["x","y"]', '["x"]', 'e takes less'],
    ['a status goes', '"200":', '"201":', '200 is gone'],
    ['a media type goes', '"application/json":', '"text/plain":', 'no longer comes as application/json'],
    ['a member goes, however deep', '"id":{', '"key":{', '200 list[] id is gone'],
    ['a member has another type', '"id":{"type":"string"}', '"id":{"type":"integer"}', 'id has another type'],
    ['a member may be absent', '"required":["list"]', '"required":[]', 'list can now be absent'],
  ])('%s', (_what, from, to, words) => {
    expect(broken(from, to)).toContainEqual(expect.stringContaining(words));
  });

  it.each([
    ['"paths":{', '"paths":{"/new":{"get":{}},'],
    ['"parameters":[', '"parameters":[{"name":"new","in":"query"},'],
    ['"minimum":1', '"minimum":0'],
    ['["x","y"]', '["x","y","z"]'],
    ['["integer","string"]', '["string","integer","boolean"]'],
    ['"type":"integer",', ''],
    ['"properties":{"list"', '"properties":{"new":{"type":"string"},"list"'],
    ['"responses":{', '"responses":{"418":{},'],
  ])('and not when something is added: %s', (from, to) => {
    expect(broken(from, to)).toEqual([]);
  });
});

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
