import fc from 'fast-check';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { firstIssue, parseRpcMessage } from './rpc-message.ts';

function kindOf(document: unknown): string {
  const parsed = parseRpcMessage(JSON.stringify(document));
  return parsed.ok ? parsed.value.kind : parsed.reason;
}

it('tells the four kinds apart', () => {
  expect(kindOf({ jsonrpc: '2.0', id: '1', method: 'hello', params: {} })).toBe('request');
  expect(kindOf({ jsonrpc: '2.0', method: 'tick' })).toBe('notification');
  expect(kindOf({ jsonrpc: '2.0', id: '1', result: null })).toBe('result');
  expect(kindOf({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'what?' } })).toBe('failure');
});

it.each([
  ['a number as id', { jsonrpc: '2.0', id: 1, method: 'hello' }, 'is not a valid request: id'],
  ['another version', { jsonrpc: '1.0', method: 'tick' }, 'is not a valid notification: jsonrpc'],
  [
    'params in a list',
    { jsonrpc: '2.0', method: 'tick', params: [1] },
    'is not a valid notification: params',
  ],
  ['a batch', [{ jsonrpc: '2.0', method: 'tick' }], 'is a batch; send one document per line'],
  ['a text', 'hello', 'is not a JSON object'],
  ['null', null, 'is not a JSON object'],
  ['nothing at all', {}, 'is not a valid result'],
  ['an error without a code', { jsonrpc: '2.0', id: '1', error: {} }, 'is not a valid failure'],
])('refuses %s', (_, document, reason) => {
  expect(kindOf(document)).toContain(reason);
});

it('refuses what is not JSON, whatever it is', () => {
  expect(parseRpcMessage('{')).toEqual({ ok: false, reason: 'is not a JSON document' });
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (line) => {
      parseRpcMessage(line);
    }),
  );
});

it('names the path to what is wrong, where there is one', () => {
  expect(
    firstIssue(
      z.object({ a: z.object({ b: z.string() }) }).safeParse({ a: { b: 1 } }).error ?? new z.ZodError([]),
    ),
  ).toMatch(/^a\.b: /);
  expect(firstIssue(z.string().safeParse(1).error ?? new z.ZodError([]))).toBe(
    'must be there, of type string',
  );
  expect(firstIssue(new z.ZodError([]))).toBe('unknown');
});
