import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'rolldown';
import { manifestOf, packageFolder } from './package-folder.ts';

/** Beside the bundle, the licence of everything third-party that is in it: most ask to be passed on with the code. */
export function licences(): Plugin {
  return {
    name: 'licences',
    generateBundle(_options, output) {
      const modules = Object.values(output).flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []));
      const folders = new Set(modules.map(packageFolder).filter((folder) => folder !== undefined));
      const source = [...folders].map(licenceOf).sort().join('\n');
      this.emitFile({ type: 'asset', fileName: 'THIRD-PARTY-LICENCES.txt', source });
    },
  };
}

function licenceOf(folder: string): string {
  const { name, version, license = 'no licence named' } = manifestOf(folder);
  const texts = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
    .map((file) => `\n${readFileSync(join(folder, file), 'utf8').trim()}\n`);
  return `${'-'.repeat(100)}\n${name} ${version} (${license})\n${texts.join('')}`;
}
