import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clientMessage } from './client-messages.ts';
import { envelope } from './envelope.ts';
import { serverMessage } from './server-messages.ts';

const chat = {
  type: 'chat',
  payload: { playerName: 'Ann', message: 'good morning', timestamp: '2026-11-21T06:30:00.000Z' },
};

describe('the envelope', () => {
  it('takes a type, and a payload that is an object or absent', () => {
    expect(envelope.safeParse({ type: 'ping' }).success).toBe(true);
    expect(envelope.safeParse({ type: 'auth', payload: { token: 'k' } }).success).toBe(true);
  });

  it.each([
    [null],
    [[]],
    ['ping'],
    [{}],
    [{ type: 1 }],
    [{ type: 'auth', payload: null }],
    [{ type: 'auth', payload: [] }],
  ])('refuses %j', (given) => {
    expect(envelope.safeParse(given).success).toBe(false);
  });
});

describe('a message from a client', () => {
  it.each([
    [{ type: 'auth', payload: { token: 'k' } }],
    [{ type: 'ping' }],
    [{ type: 'chat_send', payload: { author: 'bot', message: 'hello' } }],
  ])('is %j', (message) => {
    expect(clientMessage.parse(message)).toEqual(message);
  });

  it.each([
    [{ type: 'auth' }],
    [{ type: 'auth', payload: { token: 1 } }],
    [{ type: 'chat_send', payload: { author: 'bot' } }],
    [chat],
  ])('is not %j', (message) => {
    expect(clientMessage.safeParse(message).success).toBe(false);
  });

  it('is judged without a throw, whatever it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const { success } = clientMessage.safeParse(value);
        if (success) expect(envelope.safeParse(value).success).toBe(true);
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
  ])('is %j', (message) => {
    expect(serverMessage.parse(message)).toEqual(message);
  });

  it('gives the reason of a failed authentication inside the payload', () => {
    expect(serverMessage.safeParse({ type: 'auth_failed', error: 'no' }).success).toBe(false);
  });
});
