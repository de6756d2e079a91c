import { clientMessage } from '@steward/shared/chat/client-messages';
import { serverMessage } from '@steward/shared/chat/server-messages';
import { expect, it } from 'vitest';
import { asyncApiDocument, messageName } from './async-api.ts';

interface Document {
  readonly asyncapi: string;
  readonly components: { readonly messages: Record<string, { payload: { required: string[] } }> };
  readonly operations: Record<
    string,
    { action: string; messages: { $ref: string }[]; 'x-scopes': readonly string[] }
  >;
}

const document = asyncApiDocument('1.2.3') as Document;

it('is AsyncAPI 3 and describes every message in both directions', () => {
  expect(document.asyncapi).toBe('3.0.0');
  const names = [...clientMessage.options, ...serverMessage.options].map(messageName);
  expect(Object.keys(document.components.messages)).toEqual(names);
  expect(document.components.messages['chat_send']).toMatchObject({
    name: 'chat_send',
    title: 'Write in the game’s chat',
    payload: {
      required: ['type', 'payload'],
      properties: { type: { const: 'chat_send' }, payload: { required: ['author', 'message'] } },
    },
    examples: [{ payload: { type: 'chat_send' } }],
  });
});

it('refers to nothing that it lacks, and says who sends what', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)];
  expect(references.length).toBeGreaterThan(15);
  for (const [, path = ''] of references) {
    const target = path
      .split('/')
      .reduce<unknown>((part, name) => (part as Record<string, unknown>)?.[name], document);
    expect(target, path).toBeDefined();
  }
  const asked = Object.values(document.operations).filter(({ action }) => action === 'receive');
  expect(asked.flatMap(({ messages }) => messages.map(({ $ref }) => $ref.split('/').at(-1)))).toEqual(
    clientMessage.options.map(messageName),
  );
});

it('says what a key has to be good for', () => {
  const { relayChat, sayInGame, ...others } = document.operations;
  expect([relayChat, sayInGame].map((each) => each?.['x-scopes'])).toEqual([['read', 'chat'], ['chat']]);
  for (const { 'x-scopes': scopes } of Object.values(others)) expect(scopes).toEqual(['read', 'chat']);
});

it('leaves room for members that a later version adds', () => {
  expect(JSON.stringify(document)).not.toContain('"additionalProperties":false');
});
