/**
 * Called before a platform library is loaded: where DEBUG is set, they write everything that they see to stderr, tokens
 * and codes included.
 */
export function quietLibraries(): void {
  delete process.env['DEBUG'];
}
