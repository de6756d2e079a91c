import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle, packageOf } from './bundle.ts';
import { manifestOf } from './package-folder.ts';
import type { ServiceName } from './services.ts';

/** What the image of a service ships, for tests and measurements: in a directory that nothing of the checkout is near. */
export async function shipped(
  service: ServiceName,
  more: Readonly<Record<string, string>> = {},
): Promise<Disposable & { readonly main: string; program(name: string): string }> {
  const directory = mkdtempSync(join(tmpdir(), 'steward-shipped-'));
  await bundle(service, directory, more);
  // An image has the service's own dependencies there, and no others.
  if (manifestOf(packageOf(service)).dependencies !== undefined)
    symlinkSync(join(packageOf(service), 'node_modules'), join(directory, 'node_modules'));
  const program = (name: string) => join(directory, 'dist', `${name}.js`);
  return {
    main: program('main'),
    program,
    [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }),
  };
}
