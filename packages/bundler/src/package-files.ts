import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Plugin } from 'rolldown';
import { packageFolder } from './package-folder.ts';

/** What packages read at run time from beside their code. */
const filesOf: Readonly<Record<string, readonly string[]>> = {
  '@fastify/swagger-ui': ['static/*.{css,html,js,json,png,svg}'],
};

/** What `__dirname` in a package becomes: a folder of the package's name beside the bundle. */
const place = '__bundled';

/** Takes along the files that packages read from beside their code, and lets the code find them. */
export function packageFiles(): Plugin {
  return {
    name: 'package-files',
    transform(code, id) {
      const folder = packageFolder(id);
      if (folder === undefined || !code.includes('__dirname')) return null;
      const here = JSON.stringify(`/${nameOf(folder)}/${relative(folder, join(id, '..'))}`);
      return { code: code.replace(/\b__dirname\b/g, `(${place} + ${here})`), map: null };
    },
    intro: `const ${place} = import.meta.dirname;`,
    generateBundle(_options, output) {
      const modules = Object.values(output).flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []));
      const folders = new Set(modules.map(packageFolder).filter((folder) => folder !== undefined));
      for (const folder of folders) {
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

function nameOf(folder: string): string {
  return folder.slice(folder.lastIndexOf('/node_modules/') + '/node_modules/'.length);
}
