import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { OutputBundle, Plugin } from 'rolldown';
import { minify } from 'rolldown/utils';
import { licenceFile, shippedPackages } from '../sbom/shipped-packages.ts';

/** What becomes of third-party code in a bundle; `found` holds the folders of the packages that ship, and gets those that are in it. */
export const thirdParty = (found: Set<string>): Plugin[] => [
  ownFetch(),
  withoutNeverLoaded(),
  lateBuiltins(),
  packageFiles(),
  ownSourceMaps(),
  shortLibraries(),
  licences(found),
];

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
  // For a compression that is not asked for.
  'zlib-sync',
  // For who sends metrics, and for marks in them that are not asked for.
  './lib/pushgateway',
  '@opentelemetry/api',
]);

const prefix = '\0never-loaded:';

/** Discord's library asks by undici, a copy of what Node has for `fetch` already; it has an entry for who has that. */
function ownFetch(): Plugin {
  return {
    name: 'own-fetch',
    async resolveId(source, importer, options) {
      if (source !== '@discordjs/rest') return null;
      const resolved = await this.resolve(source, importer, { ...options, skipSelf: true });
      return resolved === null ? null : { ...resolved, id: resolved.id.replace(/index\.mjs$/, 'web.mjs') };
    },
  };
}

function withoutNeverLoaded(): Plugin {
  return {
    name: 'never-loaded',
    resolveId: (source) => (neverLoaded.has(source) ? `${prefix}${source}` : null),
    load: (id) =>
      id.startsWith(prefix)
        ? `module.exports = function () { throw new Error(${JSON.stringify(`${id.slice(prefix.length)} is not in this bundle`)}); };`
        : null,
  };
}

/** What these packages require at once of Node, for TLS and compression that a server on a private network has no use for. */
const lateIn = new Set(['fastify', 'ws']);
const lateRequire = /\brequire\('(?:node:)?(https|http2|tls|zlib)'\)/g;

/** Has it loaded when it is used first: at the start it would be 2 MB. */
function lateBuiltins(): Plugin {
  return {
    name: 'late-builtins',
    transform(code, id) {
      const folder = packageFolder(id);
      if (folder === undefined || !lateIn.has(nameOf(folder))) return null;
      const late = code.replace(
        lateRequire,
        (_, name) =>
          `new Proxy({}, { get: (_, member) => process.getBuiltinModule('node:${name}')[member] })`,
      );
      return late === code ? null : { code: late, map: null };
    },
  };
}

/** What packages read at run time from beside their code. */
const filesOf: Readonly<Record<string, readonly string[]>> = {
  '@fastify/swagger-ui': ['static/*.{css,html,js,json,png,svg}'],
};

/** What `__dirname` in a package becomes: a folder of the package's name beside the bundle. */
const place = '__bundled';

/** Takes along the files that packages read from beside their code, and lets the code find them. */
function packageFiles(): Plugin {
  return {
    name: 'package-files',
    transform(code, id) {
      const folder = packageFolder(id);
      // A module that makes one itself looks for nothing beside its package.
      if (folder === undefined || !code.includes('__dirname') || /\bvar __dirname\b/.test(code)) return null;
      const here = JSON.stringify(`/${nameOf(folder)}/${relative(folder, join(id, '..'))}`);
      return { code: code.replace(/\b__dirname\b/g, `(${place} + ${here})`), map: null };
    },
    intro: `const ${place} = import.meta.dirname;`,
    generateBundle(_options, output) {
      for (const folder of packagesIn(output)) {
        const name = nameOf(folder);
        for (const file of globSync([...(filesOf[name] ?? [])], { cwd: folder }))
          this.emitFile({
            type: 'asset',
            fileName: `${name}/${file}`,
            source: readFileSync(join(folder, file)),
          });
      }
    },
  };
}

/**
 * Keeps third-party code out of the source maps: they are read when something went wrong, and with everything in them
 * that would take 80 MB.
 */
function ownSourceMaps(): Plugin {
  return {
    name: 'own-source-maps',
    transform(code, id) {
      if (packageFolder(id) === undefined) return null;
      return { code, map: { mappings: '' } };
    },
  };
}

/** The chunks of third-party code, which has no source maps and so must not lie among code that has. */
export const libraries = { name: 'libraries', test: /\/node_modules\//, entriesAware: true };

/** Makes the libraries short, a tenth of a start; the names of their functions stay, for stack traces. Our own code is small. */
function shortLibraries(): Plugin {
  return {
    name: 'short-libraries',
    async generateBundle(_options, output) {
      for (const part of Object.values(output)) {
        if (part.type === 'chunk' && part.name.startsWith(libraries.name))
          part.code = await shortened(part.fileName, part.code);
      }
    },
  };
}

async function shortened(fileName: string, code: string): Promise<string> {
  const keepNames = { function: true, class: true };
  const short = await minify(fileName, code, {
    module: true,
    compress: { keepNames },
    mangle: { keepNames: true },
  });
  const [error] = short.errors;
  if (error !== undefined) throw new Error(`${fileName}: ${error.message}`);
  return short.code;
}

/**
 * Beside the bundle, the licence of everything third-party that is in it, and of what `found` holds already: folders of packages that ship
 * beside it. Those that are in the bundle are added.
 */
export function licences(found: Set<string> = new Set()): Pick<Plugin, 'name' | 'generateBundle'> {
  return {
    name: 'licences',
    generateBundle(_options, output) {
      for (const folder of packagesIn(output)) found.add(folder);
      const source = licenceFile(shippedPackages(found));
      this.emitFile({ type: 'asset', fileName: 'THIRD-PARTY-LICENCES.txt', source });
    },
  };
}

/** The folder of the third-party package that a module belongs to. */
function packageFolder(moduleId: string): string | undefined {
  const [folder] = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(moduleId) ?? [];
  return folder;
}

/** The folders of the packages whose code came into the bundle. */
function packagesIn(output: OutputBundle): readonly string[] {
  const modules = Object.values(output).flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []));
  return [...new Set(modules.map(packageFolder).filter((folder) => folder !== undefined))];
}

function nameOf(folder: string): string {
  return folder.slice(folder.lastIndexOf('/node_modules/') + '/node_modules/'.length);
}
