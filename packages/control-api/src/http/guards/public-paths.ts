import { type Endpoint, methodAndPath } from '@steward/shared/api/endpoint';
import { endpoints } from '@steward/shared/api/endpoints';

const declared = Object.values<Endpoint>(endpoints).filter(({ scope }) => scope === 'public');

/** Reachable without a key; every other path, known or not, asks for one. */
const publicPaths = new Set(declared.map((endpoint) => methodAndPath(endpoint).path));

const publicFolders = declared
  .filter((endpoint) => 'about' in endpoint && endpoint.about === 'this path and all below')
  .map((endpoint) => `${methodAndPath(endpoint).path}/`);

export function isPublic(path: string): boolean {
  return publicPaths.has(path) || publicFolders.some((folder) => path.startsWith(folder));
}
