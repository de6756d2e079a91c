import type { Plugin } from 'rolldown';
import { minify } from 'rolldown/utils';

/** The chunks of third-party code, which has no source maps and so must not lie among code that has. */
export const libraries = { name: 'libraries', test: /\/node_modules\//, entriesAware: true };

/** Makes the libraries short, a tenth of a start; the names of their functions stay, for stack traces. Our own code is small. */
export function shortLibraries(): Plugin {
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
