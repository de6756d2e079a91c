import { endpoints } from '@steward/shared/api/endpoints';
import { timestamp } from '@steward/shared/wire-values';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import { z } from 'zod';

interface Documented {
  readonly responses: Record<string, { content?: Record<string, { schema: object }> }>;
}

export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Documented>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

export interface Answer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

const noJson: ReadonlySet<string> = new Set(
  Object.values(endpoints).flatMap((each) => ('mediaType' in each ? [each.mediaType] : [])),
);

/** Holds answers against the document: the status is in it, the media type is, and the body has the form it says. */
export class DocumentedAnswers {
  readonly #document: ApiDocument;
  readonly #ajv: Ajv2020;

  constructor(document: ApiDocument) {
    this.#document = document;
    this.#ajv = new Ajv2020({ strict: false, validateFormats: false });
    this.#ajv.addSchema({ $id: 'api', ...closed(document) });
  }

  check(method: string, url: string, answer: Answer): void {
    const { body, headers, statusCode } = answer;
    const type = String(headers['content-type'] ?? '').split(';')[0] ?? '';
    const what = `${method} ${url}: ${statusCode} ${type} ${body.slice(0, 500)}`;
    expect(headers['x-request-id'], what).toMatch(/^[A-Za-z0-9._:-]{1,128}$/);
    if (type === 'application/problem+json' && body !== '')
      this.#validate('#/components/schemas/Problem', body, what);
    const [path, operation] = this.#operation(method, url);
    if (operation === undefined) return;
    const response = operation.responses[String(statusCode)];
    expect(response, `is not documented: ${what}`).toBeDefined();
    if (body === '') return;
    expect(Object.keys(response?.content ?? {}), what).toContain(type);
    if (noJson.has(type)) return;
    const verb = method.toLowerCase().replace('head', 'get');
    const pointer = ['paths', path, verb, 'responses', statusCode, 'content', type, 'schema'].map(
      pointerPart,
    );
    this.#validate(`#/${pointer.join('/')}`, body, what);
  }

  #operation(method: string, url: string): [string, Documented | undefined] {
    const asked = url.split('?')[0] ?? '';
    const path = asked.replace(/^\/(operations|backups)\/[^/]+(\/file)?$/, '/$1/{id}$2');
    return [path, this.#document.paths[path]?.[method.toLowerCase().replace('head', 'get')]];
  }

  #validate(pointer: string, body: string, what: string): void {
    const validate = this.#ajv.getSchema(`api${pointer}`);
    if (validate === undefined) throw new Error(`${pointer} is not in the document: ${what}`);
    const valid = validate(JSON.parse(body));
    expect(valid, `${JSON.stringify(validate.errors)} ${what}`).toBe(true);
  }
}

/** The one form in which a time is written here, which the document leaves out. */
const { pattern: formOfTimes } = z.toJSONSchema(timestamp);

/**
 * The document leaves room for what later versions add, and for clients that write a time in another form. What this one answers has
 * to be in it: a member or a code that is not documented is found here, and a time in another form.
 */
function closed<Part>(part: Part): Part {
  if (typeof part !== 'object' || part === null) return part;
  if (Array.isArray(part)) return part.map(closed) as Part;
  const members = Object.entries(part).map(([name, member]) => [name, closed(member)]);
  const schema = Object.fromEntries(members) as Record<string, unknown>;
  const { type, format, properties, additionalProperties, 'x-extensible-enum': known } = schema;
  if (type === 'object' && properties !== undefined && additionalProperties === undefined)
    schema['additionalProperties'] = false;
  if (format === 'date-time') schema['pattern'] = formOfTimes;
  return (known === undefined ? schema : { ...schema, enum: known }) as Part;
}

function pointerPart(part: string | number): string {
  return encodeURIComponent(String(part).replaceAll('~', '~0').replaceAll('/', '~1'));
}
