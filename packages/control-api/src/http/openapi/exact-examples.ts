import { parameterExample } from '../parameters/check-parameters.ts';
import { eachObject } from './each-object.ts';

const digits = /^-?[0-9]+$/;

/**
 * Schemas give the examples of their ids as text, for what makes a document of them copies it as JSON and would round
 * anything else; and it drops those of parameters. In the document they are there, ids with every digit.
 */
export function writeExactExamples(document: object): void {
  eachObject(document, (schema) => {
    const { [parameterExample]: example, examples = example === undefined ? undefined : [example] } = schema;
    delete schema[parameterExample];
    if (!Array.isArray(examples)) return;
    schema['examples'] = isInteger(schema) ? examples.map(exact) : examples;
  });
}

function isInteger({ type }: Record<string, unknown>): boolean {
  return [type].flat().includes('integer');
}

function exact(example: unknown): unknown {
  return typeof example === 'string' && digits.test(example) ? JSON.rawJSON(example) : example;
}
