import { damaged, garbage } from '@steward/testing/hostile/bytes';
import { hostileJson } from '@steward/testing/hostile/json';
import { withstand } from '@steward/testing/hostile/withstand';
import { count } from '@steward/testing/scale';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LineSplitter } from './line-splitter.ts';
import { parseRpcMessage } from './rpc-message.ts';

const runs = { numRuns: count({ small: 500, long: 100_000 }) };
const limitBytes = 400;

const line = hostileJson(
  { jsonrpc: '2.0', id: '1', method: 'claim', params: { command: '7' } },
  { jsonrpc: '2.0', method: 'tick', params: { count: 1 } },
  { jsonrpc: '2.0', id: '18446744073709551615', result: { outcome: 'applied', before: {}, after: {} } },
  { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'what?' } },
);

it('a hostile line is one of the four kinds, with the id as it was written, or is refused with a reason', {
  timeout: 3_600_000,
}, () => {
  fc.assert(
    fc.property(line, (text) => {
      const parsed = withstand(() => parseRpcMessage(text));
      if (!parsed.ok) {
        expect(parsed.reason).not.toBe('');
        return;
      }
      const { kind, message } = parsed.value;
      if (kind === 'notification') {
        expect(message).not.toHaveProperty('id');
        return;
      }
      if (message.id !== null) expect(message.id).toMatch(/^[0-9]{1,20}$/);
    }),
    runs,
  );
});

it('hostile bytes are lines within the limit however they are cut, and the next line is read', {
  timeout: 3_600_000,
}, () => {
  const stream = fc.oneof(
    garbage(),
    damaged(fc.array(line, { maxLength: 4 }).map((lines) => Buffer.from(`${lines.join('\n')}\n`))),
  );
  fc.assert(
    fc.property(stream, fc.integer({ min: 1, max: 200 }), (bytes, piece) => {
      const splitter = new LineSplitter(limitBytes);
      for (let at = 0; at < bytes.length; at += piece)
        for (const each of withstand(() => [...splitter.push(bytes.subarray(at, at + piece))]))
          if (each.kind === 'line') expect(Buffer.byteLength(each.text)).toBeLessThanOrEqual(limitBytes);
      expect([...splitter.push(Buffer.from('\n{}\n'))].at(-1)).toEqual({ kind: 'line', text: '{}' });
    }),
    runs,
  );
});
