import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';

const file = new URL('../../../../docs/bridge-schema.json', import.meta.url);

// What a format says a library may pass over; `text` and `base64` are no formats of draft 7.
const ajv = new Ajv({ strict: false, validateFormats: false });
ajv.addSchema(JSON.parse(readFileSync(file, 'utf8')), 'bridge');

/** What is wrong with a value, held against a definition of the schema that authors of games generate their code from. */
export function schemaProblems(definition: string, value: unknown): string {
  const validate = ajv.getSchema(`bridge#/definitions/${definition}`);
  if (validate === undefined) throw new Error(`docs/bridge-schema.json defines no ${definition}`);
  return validate(value) ? '' : `${definition}: ${ajv.errorsText(validate.errors)}`;
}

/** The name that a method's params, result or change has there. */
export function definitionOf(method: string, what: 'Params' | 'Result' | 'Change'): string {
  return `${method[0]?.toUpperCase()}${method.slice(1)}${what}`;
}
