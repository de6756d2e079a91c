import { expect, it } from 'vitest';
import { webhookId, webhookLimits, webhookName, webhookTopics, webhookUrl } from './webhook-parameters.ts';

it.each(['our channel', 'Бот № 7 🐔', 'owner'])('the name of a webhook may be %j', (name) => {
  expect(webhookName.parse(name)).toEqual({ ok: true, value: name });
});

it.each([
  ['', 'has a character that is not printable'],
  ['x\n', 'has a character that is not printable'],
  [' channel', 'starts or ends with a space'],
  ['https://hooks.example/3f9a', 'looks like a secret: a name is not secret'],
  ['WHSEC_abc', 'looks like a secret: a name is not secret'],
  ['stw_abc', 'looks like a key: a name is not secret'],
])('the name of a webhook may not be %j', (name, reason) => {
  expect(webhookName.parse(name)).toEqual({ ok: false, reason });
});

it.each(['https://hooks.example/a?b=c', 'http://ntfy.lan', 'HTTPS://hooks.example'])(
  'the URL %j has the form of one',
  (url) => expect(webhookUrl.parse(url)).toEqual({ ok: true, value: url }),
);

it.each([
  '',
  'hooks.example',
  'ftp://hooks.example',
  'https://',
  `https://${'x'.repeat(webhookLimits.urlCharacters)}`,
])('the URL %j has not', (url) => expect(webhookUrl.parse(url).ok).toBe(false));

it('topics are named once each, in their order', () => {
  expect(webhookTopics.parse('players, chat,players')).toEqual({ ok: true, value: ['chat', 'players'] });
  expect(webhookTopics.parse('chat,')).toEqual({ ok: false, reason: 'names "", which is not a topic' });
});

it('an id is what the list shows', () => {
  expect(webhookId.parse('hook_5b1f0c9a7d24').ok).toBe(true);
  expect(webhookId.parse('key_5b1f0c9a7d24').ok).toBe(false);
});
