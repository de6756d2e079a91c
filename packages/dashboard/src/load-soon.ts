export type Soon = typeof import('./soon.ts')['soon'];

/** One of those that come soon after the page. */
export async function loadSoon<Name extends keyof Soon>(name: Name): Promise<Soon[Name]> {
  return (await import('./soon.ts')).soon[name];
}
