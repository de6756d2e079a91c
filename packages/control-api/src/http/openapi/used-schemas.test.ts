import { expect, it } from 'vitest';
import { removeUnusedSchemas } from './used-schemas.ts';

const to = (name: string) => ({ $ref: `#/components/schemas/${name}` });

it('keeps what is referred to, directly or through another schema, and drops the rest', () => {
  const document = {
    paths: { '/a': to('A') },
    components: { securitySchemes: { key: {} }, schemas: { A: to('B'), B: to('A'), Unused: to('A') } },
  };
  removeUnusedSchemas(document);
  expect(document.components).toEqual({ securitySchemes: { key: {} }, schemas: { A: to('B'), B: to('A') } });
});

it('survives references to nothing and documents without schemas', () => {
  for (const document of [{}, { components: {} }, { paths: to('Missing') }]) {
    const before = structuredClone(document);
    removeUnusedSchemas(document);
    expect(document).toEqual(before);
  }
});
