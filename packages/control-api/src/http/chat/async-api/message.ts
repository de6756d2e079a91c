import type { clientMessage } from '@steward/shared/chat/client-messages';
import type { serverMessage } from '@steward/shared/chat/server-messages';
import { z } from 'zod';

export type MessageSchema = (typeof clientMessage.options)[number] | (typeof serverMessage.options)[number];

export function messageName(schema: MessageSchema): string {
  return schema.shape.type.value;
}

/** A message as AsyncAPI wants it: title, text and examples beside the schema, not within it. */
export function describeMessage(schema: MessageSchema): object {
  const {
    $schema: _dialect,
    title,
    description,
    examples = [],
    ...payload
  } = z.toJSONSchema(schema, {
    target: 'draft-7',
    io: 'input',
  });
  return {
    name: messageName(schema),
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { summary: description }),
    payload,
    examples: examples.map((example) => ({ payload: example })),
  };
}
