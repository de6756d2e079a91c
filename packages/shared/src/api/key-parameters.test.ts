import { describe, expect, it } from 'vitest';
import {
  keyExpiry,
  keyId,
  keyLimits,
  keyName,
  keyScopes,
  newKeyName,
  reservedKeyNames,
} from './key-parameters.ts';

const longest = keyLimits.nameCharacters;

describe('the name of a key', () => {
  it.each([
    ['bot', 'bot'],
    ['status page', 'status page'],
    ['Бот № 7 🐔', 'Бот № 7 🐔'],
    ['e\u0301', '\u00e9'],
    ['🐔'.repeat(longest), '🐔'.repeat(longest)],
  ])('may be %j', (text, value) => {
    expect(newKeyName.parse(text)).toEqual({ ok: true, value });
  });

  it.each([
    ['', 'has a character that is not printable'],
    ['   ', 'has no visible character'],
    ['a\u0000', 'has a character that is not printable'],
    ['a\nb', 'has a character that is not printable'],
    ['a\u202eb', 'has a character that is not printable'],
    ['a\ud800', 'has a character that is not printable'],
    ['x'.repeat(longest + 1), 'is too long'],
    [' bot', 'starts or ends with a space'],
    ['stw_abc', 'looks like a key: a name is not secret'],
    ...[...reservedKeyNames].map((name) => [name.toUpperCase(), 'is a reserved name']),
  ])('may not be %j', (text, reason) => {
    expect(newKeyName.parse(text)).toEqual({ ok: false, reason });
  });

  it('is looked for however it was made', () => {
    expect(keyName.parse('owner')).toEqual({ ok: true, value: 'owner' });
    expect(keyName.parse('stw_abc').ok).toBe(false);
  });
});

it.each([
  ['read', ['read']],
  ['operate, chat,read,chat', ['read', 'chat', 'operate']],
  ['admin', ['admin']],
])('the scopes %j are %j', (text, value) => {
  expect(keyScopes.parse(text)).toEqual({ ok: true, value });
});

it.each(['', 'read,', 'Read', 'read write', '*'])('the scopes %j are none', (text) => {
  expect(keyScopes.parse(text)).toMatchObject({ ok: false, reason: expect.stringContaining('not a scope') });
});

it.each([
  ['30d', { afterMs: 30 * 24 * 60 * 60 * 1_000 }],
  ['12h', { afterMs: 12 * 60 * 60 * 1_000 }],
  ['2027-01-31', { at: '2027-01-31T00:00:00.000Z' }],
  ['2027-01-31T08:30:00Z', { at: '2027-01-31T08:30:00.000Z' }],
])('a key may expire at %j', (text, value) => {
  expect(keyExpiry.parse(text)).toEqual({ ok: true, value });
});

it.each(['', '0d', '-1d', '1.5h', '30', '30D', '99999d', '2027-02-30', '2027-1-31', 'never'])(
  'a key may not expire at %j',
  (text) => {
    expect(keyExpiry.parse(text).ok).toBe(false);
  },
);

it('the id of a key has one form', () => {
  expect(keyId.parse('key_5b1f0c9a7d24').ok).toBe(true);
  expect(keyId.parse('key_5B1F0C9A7D24').ok).toBe(false);
});
