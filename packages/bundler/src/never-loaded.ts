import type { Plugin } from 'rolldown';

/**
 * What libraries have for a case that never comes here, so that the bundle has a function that throws instead of what each
 * start would read past.
 */
const neverLoaded = new Set([
  // Half a megabyte, for where nothing is set in its place (see `noCompilers`).
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  // With a copy of Node's streams, for a WebSocket without a network.
  'duplexify',
]);

const prefix = '\0never-loaded:';

export function withoutNeverLoaded(): Plugin {
  return {
    name: 'never-loaded',
    resolveId: (source) => (neverLoaded.has(source) ? `${prefix}${source}` : null),
    load: (id) =>
      id.startsWith(prefix)
        ? `module.exports = function () { throw new Error(${JSON.stringify(`${id.slice(prefix.length)} is not in this bundle`)}); };`
        : null,
  };
}
