import { stringifyExact } from '@steward/service-kit/json';
import { expect, it } from 'vitest';
import { documentText } from '../../document-text.ts';
import { writeExactExamples } from './examples.ts';

it('writes the examples of an integer with every digit, and those of a text as they are', () => {
  const schemas = {
    id: { type: 'integer', examples: ['620826087702429092', 7] },
    idStr: { type: 'string', examples: ['620826087702429092'] },
    list: [{ nested: { type: 'integer', examples: ['-9223372036854775808'] } }],
  };
  writeExactExamples(schemas);
  expect(stringifyExact(schemas)).toBe(
    '{"id":{"type":"integer","examples":[620826087702429092,7]},' +
      '"idStr":{"type":"string","examples":["620826087702429092"]},' +
      '"list":[{"nested":{"type":"integer","examples":[-9223372036854775808]}}]}',
  );
});

it('shows every id in the document as the number that it is, which JavaScript has not rounded', async () => {
  const large: string[] = [];
  const texts: unknown[] = [];
  JSON.parse(await documentText(), (_key, value: unknown, { source = '' }) => {
    if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value))
      large.push(source);
    if (typeof value === 'object' && value !== null && 'type' in value && value.type === 'integer')
      texts.push(...examplesOf(value).filter((example) => typeof example === 'string'));
    return value;
  });
  expect(large).toContain('620826087702429092');
  expect(texts).toEqual([]);
  // A number that has been through a double is written as that writes it.
  expect(large.filter((source) => String(Number(source)) === source)).toEqual([]);
});

function examplesOf(schema: object): readonly unknown[] {
  return 'examples' in schema && Array.isArray(schema.examples) ? schema.examples : [];
}
