import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  type ApiDocument,
  breakingChanges,
  type ChatDocument,
  chatChanges,
  unnamedChanges,
} from './api-changes.ts';
import { commitBefore, fileIn } from './commit-before.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

it('nothing that clients rely on has changed since the base but what the changelog names as breaking', ({
  skip,
}) => {
  const base = commitBefore(root, process.env['BASE_REF']);
  if (base === undefined) return skip('this checkout has no commit to compare with');
  const changes = [
    ...breakingChanges(...versions<ApiDocument>('docs/api-spec.json', base)),
    ...chatChanges(...versions<ChatDocument>('docs/async-api.json', base)),
  ];
  const entries = readFileSync(`${root}/CHANGELOG.md`, 'utf8');
  expect(unnamedChanges(changes, entries, fileIn(root, base, 'CHANGELOG.md'))).toEqual([]);
});

/** A document as it was in a commit, and as it is now. */
function versions<Document>(path: string, commit: string): [base: Document, now: Document] {
  return [JSON.parse(fileIn(root, commit, path)), JSON.parse(readFileSync(`${root}/${path}`, 'utf8'))];
}

const before = JSON.stringify({
  paths: {
    '/a': {
      get: {
        security: [{ key: ['read'] }, { key: ['chat'] }],
        parameters: [
          { name: 'n', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 9 } },
          { name: 'e', in: 'query', schema: { enum: ['x', 'y'] } },
          { name: 't', in: 'query', schema: { type: ['integer', 'string'] } },
          { name: 's', in: 'query', schema: { type: 'string', minLength: 1, maxLength: 9 } },
          { name: 'l', in: 'query', schema: { type: 'array', minItems: 1, maxItems: 9 } },
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
    ['a text may be less long', '"maxLength":9', '"maxLength":8', 's takes less'],
    ['a text may be less short', '"minLength":1', '"minLength":2', 's takes less'],
    ['a text must have a form', '"minLength":1', '"minLength":1,"pattern":"^a"', 's takes less'],
    ['a list may be less long', '"maxItems":9', '"maxItems":8', 'l takes less'],
    ['a list may be less short', '"minItems":1', '"minItems":2', 'l takes less'],
    ['a scope is not enough any more', '"chat"', '"admin"', 'GET /a: the scope chat is gone'],
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
    ['"maxLength":9', '"maxLength":10'],
    [',"maxItems":9', ''],
    ['{"key":["chat"]}', '{"key":["chat"]},{"key":["operate"]}'],
    ['{"key":["read"]},{"key":["chat"]}', ''],
    ['["integer","string"]', '["string","integer","boolean"]'],
    ['"type":"integer",', ''],
    ['"properties":{"list"', '"properties":{"new":{"type":"string"},"list"'],
    ['"responses":{', '"responses":{"418":{},'],
  ])('and not when something is added: %s', (from, to) => {
    expect(broken(from, to)).toEqual([]);
  });

  it('a key is asked for where none was', () => {
    const open = JSON.parse(before.replace('{"key":["read"]},{"key":["chat"]}', ''));
    expect(breakingChanges(open, JSON.parse(before))).toEqual(['GET /a: the scope public is gone']);
  });
});

const mentioned = (type: string) => ({
  content: { [`application/${type}`]: { schema: { $ref: `#/components/schemas/${type}` } } },
});

const happened = (type: string) => ({
  type: 'object',
  properties: {
    type: { type: 'string', const: type },
    data: {
      type: 'object',
      properties: { who: { type: 'string' }, way: { type: 'string', enum: ['in', 'out'] } },
      required: ['who'],
    },
  },
});

const events = JSON.stringify({
  paths: {
    '/a': {
      get: {
        'x-problem-codes': ['absent', 'broken'],
        responses: { 200: mentioned('json'), 404: mentioned('problem+json') },
      },
      post: { 'x-problem-codes': ['broken'], responses: { 404: mentioned('problem+json') } },
    },
  },
  components: {
    schemas: {
      json: { oneOf: [happened('a.began'), happened('a.ended')] },
      'problem+json': {
        type: 'object',
        properties: { code: { type: 'string', 'x-extensible-enum': ['broken', 'absent'] } },
      },
    },
  },
});

const said = (type: string, properties: object, required: readonly string[]) => ({
  payload: {
    type: 'object',
    properties: {
      type: { type: 'string', const: type },
      payload: { type: 'object', properties, required },
    },
  },
});

const text = { type: 'string' };

const chat = JSON.stringify({
  channels: { chat: { 'x-topics': { talk: { hear: ['read', 'chat'] }, keys: { hear: 'admin' } } } },
  operations: {
    speak: {
      action: 'receive',
      messages: [{ $ref: '#/channels/chat/messages/speak' }],
      'x-scopes': ['chat'],
    },
    tell: { action: 'send', messages: [{ $ref: '#/channels/chat/messages/tell' }] },
  },
  components: {
    messages: {
      speak: said('speak', { words: text, id: { anyOf: [text, { type: 'null' }] } }, ['words']),
      tell: said('tell', { name: text, cursor: text }, ['name', 'cursor']),
    },
  },
});

/** The document and what it is after each place of a piece of its text has become another. */
function edited<Document>(document: string, from: string, to: string): [base: Document, now: Document] {
  expect(document).toContain(from);
  return [JSON.parse(document), JSON.parse(document.replaceAll(from, to))];
}

describe('what programs are told breaks them when', () => {
  it.each([
    ['a kind of event goes', '"a.began"', '"a.begun"', 'GET /a: 200 a.began is gone'],
    ['a member of each goes', '"who":{', '"name":{', 'GET /a: 200 a.ended data who is gone'],
    ['a value of an answer goes', '["in","out"]', '["in"]', 'GET /a: 200 a.began data way "out" is gone'],
    ['all values of one go', ',"enum":["in","out"]', '', 'GET /a: 200 a.ended data way "in" is gone'],
    [
      'a member may be null',
      '"who":{"type":"string"}',
      '"who":{"anyOf":[{"type":"string"},{"type":"null"}]}',
      'GET /a: 200 a.began data who has another type',
    ],
    [
      'an operation no longer has an error',
      '["absent","broken"]',
      '["absent"]',
      'GET /a: the error broken is gone',
    ],
  ])('%s', (_what, from, to, words) => {
    expect(breakingChanges(...edited<ApiDocument>(events, from, to))).toContain(words);
  });

  it('an error code goes, which is told once for all operations', () => {
    const changes = breakingChanges(...edited<ApiDocument>(events, '"broken"', '"wrong"'));
    expect(changes).toEqual(['errors: code "broken" is gone']);
    const entry = 'Breaking: `errors: code "broken"` is `wrong` now.';
    expect(unnamedChanges(changes, changelog(entry))).toEqual([]);
  });

  it('an error code has another status, which is told once for all operations', () => {
    const answering = (status: number): ApiDocument => {
      const answer = (its: number) => ({
        content: {
          'application/problem+json': {
            schema: { type: 'object' },
            examples: its === status ? { broken: {} } : {},
          },
        },
      });
      const operation = { 'x-problem-codes': ['broken'], responses: { 404: answer(404), 409: answer(409) } };
      return { paths: { '/a': { get: operation, post: operation } } };
    };
    const changes = breakingChanges(answering(409), answering(404));
    expect(changes).toEqual(['errors: code "broken" has another status']);
    const entry = 'Breaking: `errors: code "broken"` comes with 404 now.';
    expect(unnamedChanges(changes, changelog(entry))).toEqual([]);
  });

  it.each([
    ['a message goes', '"tell":{', '"say":{', '/ws tell is gone'],
    ['a message is called otherwise', '"const":"tell"', '"const":"say"', '/ws tell: has another type'],
    ['a member of a message goes', '"name":{', '"who":{', '/ws tell: payload name is gone'],
    ['one may be absent', '["name","cursor"]', '["name"]', '/ws tell: payload cursor can now be absent'],
    ['a client must say more', '["words"]', '["words","id"]', '/ws speak: payload id must now be given'],
    ['a client may say less', ',{"type":"null"}', '', '/ws speak: payload id takes less'],
    ['a topic is for fewer keys', '["read","chat"]', '["read"]', '/ws topic talk: the scope chat is gone'],
    ['so is a message', '"x-scopes":["chat"]', '"x-scopes":["read"]', '/ws speak: the scope chat is gone'],
    [
      'a text may be less long',
      '"words":{',
      '"words":{"maxLength":9,',
      '/ws speak: payload words takes less',
    ],
    [
      'a client has less to choose from',
      '"words":{',
      '"words":{"enum":["hi"],',
      '/ws speak: payload words takes less',
    ],
  ])('%s', (_what, from, to, words) => {
    const changes = chatChanges(...edited<ChatDocument>(chat, from, to));
    expect(changes).toEqual([words]);
    const [place = ''] = words.split(/:? (?:is|has|can|must|takes) /);
    expect(unnamedChanges(changes, changelog(`Breaking: \`${place}\``))).toEqual([]);
  });

  it.each([
    ['"oneOf":[', `"oneOf":[${JSON.stringify(happened('a.paused'))},`],
    ['["in","out"]', '["in","out","through"]'],
    ['["broken","absent"]', '["broken","absent","late"]'],
    ['["absent","broken"]', '["absent","broken","late"]'],
  ])('and not when something is added to the API: %s', (from, to) => {
    expect(breakingChanges(...edited<ApiDocument>(events, from, to))).toEqual([]);
  });

  it.each([
    ['"messages":{', `"messages":{"more":${JSON.stringify(said('more', {}, []))},`],
    ['"name":{', '"door":{"type":"string"},"name":{'],
    ['"hear":"admin"', '"hear":"read"'],
    ['["words"]', '[]'],
    ['"words":{"type":"string"}', '"words":{"anyOf":[{"type":"string"},{"type":"null"}]}'],
  ])('and not when something is added to /ws: %s', (from, to) => {
    expect(chatChanges(...edited<ChatDocument>(chat, from, to))).toEqual([]);
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

it('a breaking change is not named by an entry that was there before the change', () => {
  const change = 'GET /a: 200 id is gone';
  const older = 'Breaking: `GET /a: 200`\n  has no name any more.';
  const newer = 'Breaking: `GET /a: 200 id`';
  expect(unnamedChanges([change], changelog('Something new', older), changelog(older))).toEqual([change]);
  expect(unnamedChanges([change], changelog(older, newer), changelog(older))).toEqual([]);
});

it('one entry that says breaking does not speak for the others', () => {
  const changes = ['GET /a is gone', 'GET /b is gone'];
  expect(unnamedChanges(changes, changelog('Breaking: `GET /a`', 'And `GET /b`'))).toEqual([
    'GET /b is gone',
  ]);
});
