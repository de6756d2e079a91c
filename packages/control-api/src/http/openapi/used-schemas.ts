const reference = /"#\/components\/schemas\/([^"]+)"/g;

/** Removes the schemas that nothing in the document refers to: the generator writes a twin of each for input. */
export function removeUnusedSchemas(document: object): void {
  const schemas = schemasOf(document);
  const used = new Set<string>();
  const follow = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part ?? null).matchAll(reference)) {
      if (used.has(name)) continue;
      used.add(name);
      follow(schemas[name]);
    }
  };
  follow({ ...document, components: undefined });
  for (const name of Object.keys(schemas)) if (!used.has(name)) delete schemas[name];
}

function schemasOf(document: {
  components?: { schemas?: Record<string, unknown> };
}): Record<string, unknown> {
  return document.components?.schemas ?? {};
}
