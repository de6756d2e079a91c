import { problemContentType } from '@steward/shared/problems/problem';
import { expect, it } from 'vitest';
import { documentText } from '../../document-text.ts';
import { removeUnusedSchemas } from './document.ts';
import { eachObject } from './examples.ts';

type Content = Readonly<Record<string, { readonly examples?: Readonly<Record<string, { $ref: string }>> }>>;

interface Operation {
  readonly description?: string;
  readonly parameters?: readonly {
    name: string;
    in: string;
    schema: { examples?: unknown[]; enum?: unknown[] };
  }[];
  readonly responses: Readonly<Record<string, { headers: object; content?: Content }>>;
  readonly 'x-problem-codes': readonly string[];
  readonly security?: readonly object[];
}

const text = await documentText();
const document: {
  paths: Record<string, Record<string, Operation>>;
  components: { examples: Record<string, { value: { code: string; status: number; error: string } }> };
} = JSON.parse(text);
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ what: `${method} ${path}`, ...operation })),
);

const objects: Record<string, unknown>[] = [];
eachObject(document, (object) => {
  objects.push(object);
});

it('leaves room in every answer for what later versions add', () => {
  expect(text).not.toContain('"additionalProperties": false');
});

it('gives no time a pattern, which a client would hold against its own writing of the time', () => {
  const times = objects.filter(({ format }) => format === 'date-time');
  expect(times.length).toBeGreaterThan(100);
  expect(times.filter((time) => 'pattern' in time)).toEqual([]);
});

it('says of an archive and a picture that they are bytes, or clients read them as text', () => {
  const media = objects.filter(({ contentMediaType }) => contentMediaType !== undefined);
  expect(media.map(({ contentMediaType }) => contentMediaType).toSorted()).toEqual([
    'application/zstd',
    'image/png',
  ]);
  for (const each of media) expect(each).toMatchObject({ type: 'string', format: 'binary' });
});

it('says of each integer that may be too large for 32 bits that it has 64, or clients read 32', () => {
  const large = objects.filter(({ type, maximum }) => type === 'integer' && Number(maximum) > 2 ** 31 - 1);
  expect(large.length).toBeGreaterThan(50);
  expect(large.filter(({ format }) => format !== 'int64')).toEqual([]);
});

it.each(operations)(
  '$what tells of the headers that clients act on',
  ({ what, responses, parameters = [] }) => {
    const headersOf = (status: string) => Object.keys(responses[status]?.headers ?? {});
    for (const status of Object.keys(responses)) {
      const opensSocket = ['101', '2XX'].includes(status);
      expect(headersOf(status).includes('X-Request-Id')).toBe(!opensSocket);
    }
    for (const status of ['429', '503'])
      if (status in responses) expect(headersOf(status)).toContain('Retry-After');
    const isWrite = !what.startsWith('get ');
    for (const status of ['200', '429'])
      expect(headersOf(status).includes('RateLimit-Remaining')).toBe(isWrite && status in responses);
    const revalidates = parameters.some(({ name }) => name === 'If-None-Match');
    expect([headersOf('200').includes('ETag'), headersOf('304').includes('ETag')]).toEqual([
      revalidates,
      revalidates,
    ]);
  },
);

it('shows an example of every query parameter that has no list of values', () => {
  const queries = operations.flatMap(({ parameters = [] }) =>
    parameters.filter((each) => each.in === 'query'),
  );
  expect(queries.length).toBeGreaterThan(20);
  const bare = queries.filter(({ schema }) => schema.enum === undefined && !('examples' in schema));
  expect(bare.filter(({ schema }) => !JSON.stringify(schema).includes('boolean'))).toEqual([]);
});

it.each(operations)('$what shows an example of each of its errors', (operation) => {
  const shown = Object.entries(operation.responses).flatMap(([status, { content = {} }]) =>
    Object.entries(content[problemContentType]?.examples ?? {}).map(([code, { $ref }]) => {
      expect($ref).toBe(`#/components/examples/${code}`);
      expect(document.components.examples[code]?.value).toMatchObject({ code, status: Number(status) });
      return code;
    }),
  );
  expect(shown.toSorted()).toEqual(operation['x-problem-codes']);
});

it.each(operations)('$what has an answer for when all goes well, as linters ask', ({ responses }) => {
  expect(Object.keys(responses)).toContainEqual(expect.stringMatching(/^2(\d\d|XX)$/));
});

it.each(operations)('$what says which scope it needs', ({ security = [], description = '' }) => {
  const needed = security.flatMap((way) => Object.values(way as Record<string, string[]>).flat());
  expect(security.length === 0 || needed.length > 0).toBe(true);
  const said = needed.map((scope) => `\`${scope}\``).join(' or ');
  expect(description).toContain(said === '' ? 'Needs no key.' : `Needs the scope ${said}.`);
});

it('says that a WebSocket needs no key in its request', () => {
  const socket = operations.find(({ what }) => what === 'get /ws');
  expect(Object.keys(socket?.responses ?? {})).toContain('101');
  expect(socket?.security).toContainEqual({});
});

const to = (name: string) => ({ $ref: `#/components/schemas/${name}` });

it('keeps what is referred to, directly or through another schema, and drops the rest', () => {
  const document = {
    paths: { '/a': to('A') },
    components: { securitySchemes: { key: {} }, schemas: { A: to('B'), B: to('A'), Unused: to('A') } },
  };
  removeUnusedSchemas(document);
  expect(document.components).toEqual({ securitySchemes: { key: {} }, schemas: { A: to('B'), B: to('A') } });
});

it('survives references to nothing and documents without schemas', () => {
  for (const document of [{}, { components: {} }, { paths: to('Missing') }]) {
    const before = structuredClone(document);
    removeUnusedSchemas(document);
    expect(document).toEqual(before);
  }
});
