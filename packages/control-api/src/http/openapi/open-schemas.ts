import { eachObject } from './each-object.ts';

/** An answer may get further members within a version, so that a client must not be told that there are no others. */
export function openSchemas(document: object): void {
  eachObject(document, (schema) => {
    if (schema['additionalProperties'] === false) delete schema['additionalProperties'];
  });
}
