import { damaged } from '@steward/testing/hostile/bytes';
import { count } from '@steward/testing/scale';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { ChatStage } from './stage/chat-stage.ts';
import { continuation, frame, RawSocket, text } from './stage/raw-socket.ts';

const ping = '{"type":"ping"}';

it('reads a message that drips in byte by byte, and one in two fragments split within a character', async () => {
  await using stage = await ChatStage.open({});
  const raw = await RawSocket.upgraded(stage.port);
  raw.socket.setNoDelay();
  for (const byte of frame(text, ping)) raw.write(Uint8Array.of(byte));
  await raw.has(/pong/);
  const message = Buffer.from('{"type":"👋"}');
  raw.write(frame(text, message.subarray(0, 11), { final: false }));
  raw.write(frame(continuation, message.subarray(11)));
  await raw.has(/unknown-type/);
  expect(Buffer.from(raw.text, 'latin1').toString()).toContain('👋');
});

it('answers two messages that come in one packet with the handshake', async () => {
  await using stage = await ChatStage.open({});
  const raw = new RawSocket(stage.port);
  const both = Buffer.concat([frame(text, ping), frame(text, ping)]);
  const request = `GET /ws HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n`;
  raw.write(Buffer.concat([Buffer.from(request), both]));
  await raw.has(/pong.*pong/s);
  expect(raw.text).toMatch(/^HTTP\/1\.1 101 /);
});

describe('a client that breaks the protocol is closed', () => {
  it.each([
    ['without a mask', Buffer.from([0x81, 2, 0x7b, 0x7d]), 1002, 'protocol'],
    ['with reserved bits', Buffer.from([0xf1, 0x80, 0, 0, 0, 0]), 1002, 'protocol'],
    ['with an unknown opcode', Buffer.from([0x83, 0x80, 0, 0, 0, 0]), 1002, 'protocol'],
    ['with text that is no UTF-8', frame(text, Uint8Array.of(0xc3, 0x28)), 1007, 'protocol'],
    ['announcing gigabytes', Buffer.from([0x81, 0xff, 0, 0, 0, 1, 0, 0, 0, 0]), 1009, 'too-big'],
    ['with a flood of tiny fragments', tinyFragments(5_000), 1008, 'fragments'],
    [
      'with a flood of empty fragments',
      Buffer.concat(Array(5_000).fill(frame(continuation, '', { final: false }))),
      1002,
      'protocol',
    ],
  ] as const)('%s', async (_how, bytes, code, counted) => {
    await using stage = await ChatStage.open({});
    const other = await stage.client();
    const raw = await RawSocket.upgraded(stage.port);
    raw.write(bytes);
    await raw.ended;
    expect(raw.closeCode).toBe(code);
    await other.rest();
    expect(stage.relay.counts.closed[counted]).toBe(1);
  });
});

function tinyFragments(number: number): Buffer {
  const rest = Array<Buffer>(number).fill(frame(continuation, 'x', { final: false }));
  return Buffer.concat([frame(text, 'x', { final: false }), ...rest]);
}

it('lives through half frames, garbage and sudden ends, and serves the next client', {
  timeout: 3_600_000,
}, async () => {
  await using stage = await ChatStage.open({});
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc
      .tuple(fc.nat({ max: 15 }), fc.string({ maxLength: 200 }), fc.boolean(), fc.nat({ max: 200 }))
      .map(([opcode, payload, final, kept]) => frame(opcode, payload, { final }).subarray(0, kept)),
    damaged(
      fc.constantFrom(
        frame(text, ping),
        Buffer.concat([frame(text, ping.slice(0, 5), { final: false }), frame(continuation, ping.slice(5))]),
        Buffer.concat([frame(9, 'p'), frame(10, 'q'), frame(8, '\x03\xe8')]),
        frame(text, ping.padEnd(300)),
      ),
    ),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(bytes, { maxLength: 8 }), fc.boolean(), async (writes, abrupt) => {
      const raw = await RawSocket.upgraded(stage.port);
      for (const write of writes) raw.write(write);
      if (abrupt) raw.socket.resetAndDestroy();
      else raw.socket.end();
      await raw.ended;
      const client = await stage.client();
      await client.rest();
      client.close();
      await client.closed;
      // The other end may hear of it first.
      await vi.waitFor(() => expect(stage.relay.connections).toBe(0), { interval: 1, timeout: 10_000 });
    }),
    { numRuns: count({ small: 60, long: 20_000 }) },
  );
});
