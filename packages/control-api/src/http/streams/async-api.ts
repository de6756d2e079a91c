import { clientMessage, clientMessageScopes } from '@steward/shared/chat/client-messages';
import { chatErrorCodes, chatScopes, closeCodes } from '@steward/shared/chat/rules';
import { serverMessage } from '@steward/shared/chat/server-messages';
import { eventTypes, topics } from '@steward/shared/events/event-types';
import { enough } from '@steward/shared/scopes';
import { z } from 'zod';
import { chatPath } from './web-sockets.ts';

const channel = { $ref: '#/channels/chat' };

/** What a client may say, and what the server may answer to it. */
const conversations = {
  authenticate: { asks: 'auth', answers: ['auth_success', 'auth_failed'] },
  keepAlive: { asks: 'ping', answers: ['pong'] },
  sayInGame: { asks: 'chat_send', answers: ['chat_sent', 'error'] },
  catchUp: { asks: 'resume', answers: ['resumed', 'error'] },
  hearMore: { asks: 'subscribe', answers: ['subscribed', 'error'] },
  hearLess: { asks: 'unsubscribe', answers: ['unsubscribed', 'error'] },
} as const;

/** The AsyncAPI 3 document of `/ws`, made from the schemas that messages are checked with. */
export function asyncApiDocument(version: string): object {
  const options = [...clientMessage.options, ...serverMessage.options];
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Steward chat relay',
      version,
      description: about,
      license: { name: 'MIT' },
    },
    defaultContentType: 'application/json',
    channels: {
      chat: {
        address: chatPath,
        title: 'The chat of the game',
        messages: Object.fromEntries(
          options.map((option) => [
            messageName(option),
            { $ref: `#/components/messages/${messageName(option)}` },
          ]),
        ),
        bindings: { ws: { method: 'GET', bindingVersion: '0.1.0' } },
        'x-close-codes': Object.values(closeCodes),
        'x-error-codes': chatErrorCodes,
        'x-topics': topics,
        'x-event-types': eventTypes,
      },
    },
    operations: {
      ...Object.fromEntries(
        Object.entries(conversations).map(([name, { asks, answers }]) => [
          name,
          {
            action: 'receive',
            description: `Needs a key with the scope ${enough(clientMessageScopes[asks]).join(' or ')}, if the server has keys.`,
            'x-scopes': enough(clientMessageScopes[asks]),
            channel,
            messages: [inChannel(asks)],
            reply: { channel, messages: answers.map(inChannel) },
          },
        ]),
      ),
      relayChat: {
        action: 'send',
        description: `To keys with the scope ${enough(chatScopes.hear).join(' or ')}.`,
        'x-scopes': chatScopes.hear,
        channel,
        messages: [inChannel('chat')],
      },
      tellEvents: {
        action: 'send',
        description:
          'To clients that have subscribed to the topic of the event. `x-topics` says which scope each topic needs.',
        'x-scopes': chatScopes.hear,
        channel,
        messages: [inChannel('event'), inChannel('unsubscribed')],
      },
    },
    components: {
      messages: Object.fromEntries(options.map((option) => [messageName(option), describeMessage(option)])),
    },
  };
}

function inChannel(name: string): { $ref: string } {
  return { $ref: `#/channels/chat/messages/${name}` };
}

const about = [
  'The chat between the game and its bots, and other events for clients that subscribe to them, on the port of the REST',
  'API. Each frame is one JSON text. If the server has',
  'a key, the first message is `auth`; the server sends nothing before it. Ignore types and members that you do',
  'not know. docs/chat-bots.md is the guide.',
].join(' ');

type MessageSchema = (typeof clientMessage.options)[number] | (typeof serverMessage.options)[number];

export function messageName(schema: MessageSchema): string {
  return schema.shape.type.value;
}

/** A message as AsyncAPI wants it: title, text and examples beside the schema, not within it. */
function describeMessage(schema: MessageSchema): object {
  const {
    $schema: _dialect,
    title,
    description,
    examples = [],
    ...payload
  } = z.toJSONSchema(schema, {
    target: 'draft-7',
    io: 'input',
    // A 64-bit id says in words of its own what it is.
    unrepresentable: 'any',
  });
  return {
    name: messageName(schema),
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { summary: description }),
    payload,
    examples: examples.map((example) => ({ payload: example })),
  };
}
