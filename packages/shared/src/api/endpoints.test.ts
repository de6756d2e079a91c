import { describe, expect, it } from 'vitest';
import { commands } from '../bridge/commands.ts';
import { problemCodes } from '../problems/problem-codes.ts';
import { answers } from './answers.ts';
import { type Endpoint, groups, isWrite, methodAndPath, type Parameter } from './endpoint.ts';
import { endpointIds, endpoints, preparedIds } from './endpoints.ts';
import { idempotencyHeader } from './idempotency-key.ts';
import { problemsOf } from './problems.ts';

const all: readonly (readonly [string, Endpoint])[] = endpointIds.map((id) => [id, endpoints[id]]);

const parametersOf = ({ path, query }: Endpoint): readonly (readonly [string, Parameter])[] =>
  Object.entries({ ...path, ...query });

const parameters = all.flatMap(([id, endpoint]) =>
  parametersOf(endpoint).map(([name, parameter]) => [`${name} of ${id}`, parameter] as const),
);

function isDistinct(values: readonly unknown[]): boolean {
  return new Set(values).size === values.length;
}

describe('every endpoint', () => {
  it('has a route of its own, and a line of the log of its own if it writes', () => {
    expect(isDistinct(all.map(([, { on }]) => on))).toBe(true);
    expect(isDistinct(all.flatMap(([, one]) => (isWrite(one) ? [one.audit] : [])))).toBe(true);
  });

  it.each(all)('%s belongs to a group of the docs page and ends no summary in a dot', (_id, endpoint) => {
    expect(groups.map(({ name }) => name)).toContain(endpoint.group);
    expect(endpoint.summary).toMatch(/^[A-Z].*[^.]$/);
  });

  it.each(all)('%s names in its path what it takes from there', (_id, endpoint) => {
    const { method, path } = methodAndPath(endpoint);
    expect(`${method} ${path}`).toBe(endpoint.on);
    expect(isWrite(endpoint)).toBe(method !== 'GET');
    expect([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)).toEqual(
      Object.keys(endpoint.path ?? {}),
    );
  });

  it.each(all)(
    '%s asks for one of two only where it takes both',
    (_id, { exactlyOneOf = [], query = {} }) => {
      expect(exactlyOneOf.filter((name) => query[name]?.isRequired !== false)).toEqual([]);
    },
  );

  it.each(all)('%s gives a command that games know, or none', (_id, endpoint) => {
    const given = isWrite(endpoint) ? endpoint.game : undefined;
    expect([...Object.keys(commands), undefined]).toContain(given);
  });

  it('answers something where it succeeds, but for the documents, which are described elsewhere', () => {
    const silent = all.filter(([id]) => Object.keys(answers[id as keyof typeof answers]).length === 0);
    expect(silent.map(([, { group, on }]) => `${group}: ${on}`)).toEqual(
      all
        .filter(([, one]) => 'hidden' in one || one.on.endsWith('.json'))
        .map(([, { group, on }]) => `${group}: ${on}`),
    );
  });
});

describe('every parameter', () => {
  it.each(parameters)(
    '%s says what it means, and takes its own example',
    (_name, { means, example, kind }) => {
      expect(means.length).toBeGreaterThan(0);
      if (example !== undefined) expect(kind.parse(String(example))).toMatchObject({ ok: true });
    },
  );

  it('that is required has an example', () => {
    const bare = parameters.filter(([, { isRequired, example }]) => isRequired && example === undefined);
    expect(bare.map(([name]) => name)).toEqual([]);
  });
});

it('a line that shows nothing is refused before it is sent, in words', () => {
  const { author, message } = endpoints.sendChat.query;
  expect(message.kind.parse(' \u200b')).toEqual({
    ok: false,
    reason: 'is empty, or has no visible character',
  });
  expect(author.kind.parse('\u200b')).toEqual({ ok: false, reason: 'has no visible character' });
  expect(message.kind.parse(' good\nmorning')).toEqual({ ok: true, value: ' good\nmorning' });
});

it.each([
  ['17', { ok: true, value: 17 }],
  ['2026-11-21T00:00:00Z', { ok: true, value: new Date('2026-11-21T00:00:00Z') }],
  ['-1', { ok: false, reason: 'is not one of them' }],
  ['2026-11-31T00:00:00Z', { ok: false, reason: 'is not one of them' }],
])('a place in the audit is the number of a line, or a time: %s', (text, parsed) => {
  expect(endpoints.getAudit.query.after.kind.parse(text)).toEqual(parsed);
});

it.each([
  ['k3f9x-42', { ok: true, value: 'k3f9x-42' }],
  ['2026-11-21T00:00:00Z', { ok: true, value: new Date('2026-11-21T00:00:00Z') }],
  ['k3f9x-042', { ok: false, reason: 'is not one of them' }],
  ['42', { ok: false, reason: 'is not one of them' }],
])('a place among the events is a cursor, or a time: %s', (text, parsed) => {
  expect(endpoints.getEvents.query.after.kind.parse(text)).toEqual(parsed);
});

it.each([
  ['chat', { ok: true, value: ['chat'] }],
  ['farm, chat,farm', { ok: true, value: ['farm', 'chat'] }],
  ['chta', { ok: false, reason: 'names none, or another' }],
  ['', { ok: false, reason: 'names none' }],
  [' ,', { ok: false, reason: 'names none' }],
])('topics are named between commas, each once: %j', (text, parsed) => {
  expect(endpoints.streamEvents.query.topics.kind.parse(text)).toEqual(parsed);
});

it('only reads are prepared, and the polled ones are', () => {
  expect(preparedIds.every((id) => endpoints[id].on.startsWith('GET '))).toBe(true);
  expect(preparedIds).toEqual(expect.arrayContaining(['getStatus', 'listPlayers', 'getSettings']));
});

describe('the problems of an endpoint', () => {
  it.each(all)('%s are rows of the table, each once, in the order of the alphabet', (_id, endpoint) => {
    const problems = problemsOf(endpoint);
    expect(Object.keys(problemCodes)).toEqual(expect.arrayContaining([...problems]));
    expect(isDistinct(problems)).toBe(true);
    expect(problems).toEqual(problems.toSorted());
  });

  it('follow from what it is: a key, parameters, a choice, a command', () => {
    const has = (id: keyof typeof endpoints) => problemsOf(endpoints[id]);
    expect(has('getHealth')).not.toContain('unauthorized');
    expect(has('getStatus')).toContain('unauthorized');
    expect(has('getStatus')).not.toContain('invalid-parameter');
    expect(has('getOperation')).toContain('invalid-parameter');
    expect(has('getOperation')).not.toContain('unknown-parameter');
    expect(has('grantAdmin')).toEqual(
      expect.arrayContaining(['unknown-parameter', 'conflicting-parameters', 'outcome-unknown']),
    );
    expect(has('setTime')).not.toContain('conflicting-parameters');
    expect(has('listFarmhands')).not.toContain('outcome-unknown');
  });
});

it.each([
  ['a', true],
  ['8e03978e-40d5-43e8-bc93-6894a57f9324', true],
  ['!'.repeat(255), true],
  ['!'.repeat(256), false],
  ['', false],
  ['two words', false],
  ['ключ', false],
  ['line\n', false],
])('an idempotency key may be %j: %s', (key, may) => {
  expect(idempotencyHeader['idempotency-key'].kind.parse(key).ok).toBe(may);
});

it.each([
  ['saves', { ok: true, value: ['saves'] }],
  // In the order of an archive, each once.
  ['owners, saves,owners', { ok: true, value: ['saves', 'owners'] }],
  ['saves,database', { ok: false, reason: 'names "database", which is not a part of a backup' }],
  ['', { ok: false, reason: 'names "", which is not a part of a backup' }],
])('what a restore takes of a backup, as %j, is read as it is meant', (text, parsed) => {
  expect(endpoints.restoreBackup.query.what.kind.parse(text)).toEqual(parsed);
});
