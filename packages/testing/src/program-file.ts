import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const checkout = fileURLToPath(new URL('../../../', import.meta.url));

/** Where the whole run of the tests has bundled each service, as its image has it; alone, a file of tests runs the sources. */
export const shippedDirectory: string | undefined = process.env['STEWARD_SHIPPED'];

/** The file to start: `entry` is a path below the checkout, such as `packages/control-api/src/main.ts`, or one from the root. */
export function programFile(entry: string): string {
  const [, service] = /^packages\/([^/]+)\/src\/main\.ts$/.exec(entry) ?? [];
  if (shippedDirectory !== undefined && service !== undefined) {
    const shipped = join(shippedDirectory, service, 'dist/main.js');
    if (existsSync(shipped)) return shipped;
  }
  return resolve(checkout, entry);
}
