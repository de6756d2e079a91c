import { eventData, readEvent, type StewardEvent } from '@steward/shared/events/event-data';
import { type EventType, eventTypeNames } from '@steward/shared/events/event-types';
import { int64Text, timestamp, uint64Text } from '@steward/shared/wire-values';
import { anyText } from '@steward/testing/hostile/text';
import fc from 'fast-check';
import { z } from 'zod';

/** What players call themselves and say to see what it does. */
const mischief = [
  '@everyone',
  '@here',
  '@channel',
  '<@123456789012345678>',
  '<@&123456789012345678>',
  '<#123456789012345678>',
  '<!channel>',
  '<!here|here>',
  '<U012345>',
  '<https://evil.example|the farm>',
  '[the farm](https://evil.example)',
  '[the farm](<https://evil.example> "x")',
  'https://evil.example/?a=b',
  '<https://evil.example>',
  '<t:1700000000:R>',
  '<:smile:123456789012345678>',
  '</say:123456789012345678>',
  '**bold** _it_ __under__ ~~gone~~ ||hidden||',
  '`code` ```block```',
  '# big\n## less\n-# small',
  '> said\n>>> all',
  '- one\n* two\n1. three',
  '\\@everyone \\\\[x](https://evil.example)',
  '\u202eeveryone\u202c',
  '\u2066@\u200beveryone',
  '',
  '   ',
  '\u200b\u200d',
  '\ud800',
  '\u0000\u0007\u001b[31m',
  'O’Brien & Sons "Ltd." <3',
  'x'.repeat(5_000),
  '*'.repeat(5_000),
  '&'.repeat(5_000),
  '"'.repeat(5_000),
  '𝕬😀'.repeat(2_000),
  'ä\u0308'.repeat(2_000),
];

export const mischievous: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...mischief),
  fc.array(fc.constantFrom(...mischief), { minLength: 2, maxLength: 3 }).map((texts) => texts.join(' ')),
  anyText({ maxLength: 300 }),
  fc.string({ unit: fc.constantFrom(...'@<>[]()`*_~|#&\\:/!- \n'), maxLength: 300 }),
);

/** As long as no other number in what is told: found where it should not be, it is an id. */
export const anyId = '620826087702429092';

/** An event of this type as the log has it, whose every text somebody chose who means no good. */
export function anyEvent(type: EventType = 'chat.said'): fc.Arbitrary<StewardEvent> {
  return anyOf(eventData[type]).map((data) => {
    const event = readEvent({ type, data });
    if (event === undefined) throw new Error(`this is no ${type}: ${JSON.stringify(data)}`);
    return event;
  });
}

export const eventOfAnyType: fc.Arbitrary<StewardEvent> = fc.constantFrom(...eventTypeNames).chain(anyEvent);

function anyOf(schema: unknown): fc.Arbitrary<unknown> {
  if (schema === int64Text || schema === uint64Text) return fc.constant(anyId);
  // Nobody chooses when something is.
  if (schema === timestamp) return fc.constant('2026-11-21T06:30:00.000Z');
  if (schema instanceof z.ZodObject) {
    const members = Object.entries(schema.shape);
    const requiredKeys = members.filter(([, one]) => !(one instanceof z.ZodOptional)).map(([name]) => name);
    return fc.record(Object.fromEntries(members.map(([name, one]) => [name, anyOf(one)])), { requiredKeys });
  }
  if (schema instanceof z.ZodOptional) return anyOf(schema.unwrap());
  if (schema instanceof z.ZodArray) return fc.array(anyOf(schema.element), { maxLength: 40 });
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...schema.options);
  if (schema instanceof z.ZodLiteral) return fc.constantFrom(...schema.values);
  if (schema instanceof z.ZodPipe) return anyOf(schema.in);
  if (schema instanceof z.ZodBoolean) return fc.boolean();
  if (schema instanceof z.ZodNumber) return fc.integer({ min: schema.minValue ?? 0, max: 28 });
  return mischievous.filter((text) => z.safeParse(schema as z.ZodType, text).success);
}
