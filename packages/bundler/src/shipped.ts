import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle, packageOf } from './bundle.ts';
import { manifestOf } from './package-folder.ts';
import type { ServiceName } from './services.ts';

/** What the image of a service ships, for tests and measurements: in a directory that nothing of the checkout is near. */
export async function shipped(service: ServiceName): Promise<Disposable & { readonly main: string }> {
  const directory = mkdtempSync(join(tmpdir(), 'steward-shipped-'));
  await bundle(service, directory);
  // An image has the service's own dependencies there, and no others.
  if (manifestOf(packageOf(service)).dependencies !== undefined)
    symlinkSync(join(packageOf(service), 'node_modules'), join(directory, 'node_modules'));
  return {
    main: join(directory, 'dist', 'main.js'),
    [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }),
  };
}
