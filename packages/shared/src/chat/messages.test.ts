import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clientMessage, envelope, isClientMessageType } from './client-messages.ts';
import { serverMessage } from './server-messages.ts';

const chat = {
  type: 'chat',
  payload: {
    playerName: 'Ann',
    message: 'good morning',
    timestamp: '2026-11-21T06:30:00.000Z',
    cursor: 'e-1',
  },
};

describe('the envelope', () => {
  it('takes a type, and a payload that is an object, absent or null', () => {
    expect(envelope.safeParse({ type: 'ping', payload: null }).success).toBe(true);
    expect(envelope.safeParse({ type: 'ping' }).success).toBe(true);
    expect(envelope.safeParse({ type: 'auth', payload: { token: 'k' } }).success).toBe(true);
  });

  it.each([[null], [[]], ['ping'], [{}], [{ type: 1 }], [{ type: 'auth', payload: [] }]])(
    'refuses %j',
    (given) => {
      expect(envelope.safeParse(given).success).toBe(false);
    },
  );
});

describe('a message from a client', () => {
  it.each([
    [{ type: 'auth', payload: { token: 'k' } }],
    [{ type: 'ping' }],
    [{ type: 'chat_send', payload: { author: 'bot', message: 'hello' } }],
    [{ type: 'chat_send', payload: { author: 'bot', message: 'hello', id: '1' } }],
    [{ type: 'resume' }],
    [{ type: 'resume', payload: {} }],
    [{ type: 'resume', payload: { cursor: 'e-1' } }],
    [{ type: 'resume', payload: null }],
    [{ type: 'resume', payload: { cursor: null } }],
    [{ type: 'chat_send', payload: { author: 'bot', message: 'hello', id: null } }],
  ])('is %j', (message) => {
    expect(clientMessage.parse(message)).toEqual(message);
  });

  it.each([
    [{ type: 'auth' }],
    [{ type: 'auth', payload: null }],
    [{ type: 'auth', payload: { token: null } }],
    [{ type: 'auth', payload: { token: 1 } }],
    [{ type: 'chat_send', payload: { author: 'bot' } }],
    [{ type: 'chat_send', payload: { author: 'bot', message: 'hello', id: '' } }],
    [{ type: 'chat_send', payload: { author: 'bot', message: 'hello', id: 7 } }],
    [{ type: 'resume', payload: { cursor: 41 } }],
    [chat],
  ])('is not %j', (message) => {
    expect(clientMessage.safeParse(message).success).toBe(false);
  });

  it('is known by its type', () => {
    expect(isClientMessageType('resume')).toBe(true);
    expect(isClientMessageType('chat')).toBe(false);
  });

  it('is judged without a throw, whatever it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const { success } = clientMessage.safeParse(value);
        expect(!success || envelope.safeParse(value).success).toBe(true);
      }),
    );
  });
});

describe('a message from the server', () => {
  it.each([
    [{ type: 'auth_success' }],
    [{ type: 'auth_failed', payload: { error: 'no' } }],
    [{ type: 'pong' }],
    [chat],
    [{ type: 'chat_sent', payload: { id: '1', status: 'refused', reason: 'the game is away' } }],
    [{ type: 'resumed', payload: { missed: 0, gap: true, cursor: 'e-1' } }],
    [{ type: 'error', payload: { code: 'unknown-type', message: 'no' } }],
  ])('is %j', (message) => {
    expect(serverMessage.parse(message)).toEqual(message);
  });

  it.each([
    ['client', clientMessage],
    ['server', serverMessage],
  ])('from the %s is what its own example shows', (_side, message) => {
    for (const option of message.options) {
      const examples = (option.meta()?.['examples'] ?? []) as unknown[];
      expect(examples).not.toEqual([]);
      for (const example of examples) expect(option.parse(example)).toEqual(example);
    }
  });

  it('never shows nameless or empty chat, which existing bots drop', () => {
    for (const change of [{ playerName: '' }, { message: '' }]) {
      const payload = { ...chat.payload, ...change };
      expect(serverMessage.safeParse({ ...chat, payload }).success).toBe(false);
    }
  });

  it('gives the reason of a failed authentication inside the payload', () => {
    expect(serverMessage.safeParse({ type: 'auth_failed', error: 'no' }).success).toBe(false);
  });
});
