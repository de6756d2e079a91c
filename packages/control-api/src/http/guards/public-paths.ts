/** Reachable without a key; every other path, known or not, asks for one. */
const publicPaths = new Set(['/health', '/docs', '/api-spec/v1/api-spec.json']);

export function isPublic(path: string): boolean {
  return publicPaths.has(path) || path.startsWith('/docs/');
}
