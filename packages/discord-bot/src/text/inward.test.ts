import { anyText } from '@steward/testing/hostile/text';
import type { APIUser } from 'discord-api-types/v10';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ReadMessage, spoken } from './inward.ts';

const user = (username: string, global_name: string | null = null): APIUser => ({
  id: '1',
  username,
  global_name,
  discriminator: '0',
  avatar: null,
});

function message(content: string, more: object = {}): ReadMessage {
  return { content, author: user('ann'), mentions: [], attachments: [], ...more } as ReadMessage;
}

const names = (id: string) => ({ 7: 'general', 8: 'Mods' })[id];
const textOf = (content: string, more?: object) => spoken(message(content, more), names)?.text;

describe('a line for the game', () => {
  it.each([
    ['hello\n\nthere', 'hello there'],
    ['<@1> <@!2>', '@Bo @somebody'],
    ['<#7> <#9> <@&8> <@&9>', '#general #channel @Mods @role'],
    ['<:wave:123> <a:dance:456>', ':wave: :dance:'],
    ['<t:1763838000> <t:1763838000:R>', '2025-11-22 19:00 UTC 2025-11-22 19:00 UTC'],
    ['</status:123> <id:customize>', '/status #customize'],
    ['<https://a.example/x>', 'https://a.example/x'],
    ['[here](https://a.example)', 'here (https://a.example)'],
    ['||the end||', '(spoiler)'],
    ['¯\\\\_(ツ)\\_/¯', '¯\\_(ツ)_/¯'],
    ['[red] [42] alert', '(red) (42) alert'],
    ['a\u0000b\u202ec', 'abc'],
    // What is not shown may not hide a code of the game.
    ['[re\u202ed] [1\u00072]', '(red) (12)'],
  ])('%s', (content, text) => {
    expect(textOf(content, { mentions: [user('bo', 'Bo')] })).toBe(text);
  });

  it('says what is no text, with its link where there is room', () => {
    const attachments = [{ filename: 'cat.png', url: 'https://cdn.example/cat.png?ex=1' }];
    expect(textOf('look', { attachments })).toBe('look https://cdn.example/cat.png?ex=1 (cat.png)');
    expect(textOf('a'.repeat(430), { attachments })).toBe(`${'a'.repeat(430)} (cat.png)`);
    expect(textOf('', { sticker_items: [{ name: 'Wave' }] })).toBe('(sticker: Wave)');
    expect(textOf('', { poll: { question: { text: 'Mine or farm?' } } })).toBe('(poll: Mine or farm?)');
    expect(textOf('', { message_snapshots: [{ message: { content: 'news' } }] })).toBe('(forwarded) news');
    expect(textOf('yes', { referenced_message: { author: user('bo', 'Bo') } })).toBe('(to Bo) yes');
  });

  it('is none where there is nothing to show', () => {
    expect(spoken(message(''), names)).toBeUndefined();
    expect(spoken(message(' \u200b\n'), names)).toBeUndefined();
  });

  it('is said by whoever wrote it, by the name that the server shows', () => {
    const authorOf = (author: APIUser, nick?: string) =>
      spoken(message('hi', { author, member: { nick } }), names)?.author;
    expect(authorOf(user('ann'))).toBe('ann (Discord)');
    expect(authorOf(user('ann', 'Ann'))).toBe('Ann (Discord)');
    expect(authorOf(user('ann', 'Ann'), 'Mayor')).toBe('Mayor (Discord)');
    expect(authorOf(user('ann', 'A'.repeat(40)))).toBe(`${'A'.repeat(21)}… (Discord)`);
  });

  it('is one line of at most 450 characters, whatever was written', () => {
    fc.assert(
      fc.property(
        anyText({ maxLength: 600 }),
        fc.string({ unit: 'grapheme', maxLength: 40 }),
        (content, nick) => {
          const said = spoken(message(content, { member: { nick } }), names);
          if (said === undefined) return;
          expect(Array.from(said.text).length).toBeLessThanOrEqual(450);
          expect(Array.from(said.author).length).toBeLessThanOrEqual(32);
          expect(`${said.author}${said.text}`).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]|\[\w+\]/u);
        },
      ),
    );
  });
});
