import type { Plugin } from 'rolldown';
import { packageFolder } from './package-folder.ts';

/**
 * Keeps third-party code out of the source maps: they are read when something went wrong, and with everything in them
 * that would take 80 MB.
 */
export function ownSourceMaps(): Plugin {
  return {
    name: 'own-source-maps',
    transform(code, id) {
      if (packageFolder(id) === undefined) return null;
      return { code, map: { mappings: '' } };
    },
  };
}
