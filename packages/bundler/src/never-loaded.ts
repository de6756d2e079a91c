import type { Plugin } from 'rolldown';

/**
 * What libraries would load where nothing is set in its place. Everything here sets something (see `noCompilers`), so
 * the bundle has an error instead of half a megabyte that each start would read past.
 */
const neverLoaded = new Set(['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler']);

const prefix = '\0never-loaded:';

export function withoutNeverLoaded(): Plugin {
  return {
    name: 'never-loaded',
    resolveId: (source) => (neverLoaded.has(source) ? `${prefix}${source}` : null),
    load: (id) =>
      id.startsWith(prefix)
        ? `throw new Error(${JSON.stringify(`${id.slice(prefix.length)} is not in this bundle`)});`
        : null,
  };
}
