import { bundle } from './bundle.ts';
import { clientPackage } from './client-package.ts';
import { conformancePackage } from './conformance-package.ts';
import { isService, services } from './services.ts';

/** What npm publishes. */
const packages: Readonly<Record<string, (directory: string) => Promise<void>>> = {
  client: clientPackage,
  'bridge-conformance': conformancePackage,
};

const [what = '', directory, ...rest] = process.argv.slice(2);
const makePackage = packages[what];

if ((!isService(what) && makePackage === undefined) || directory === undefined || rest.length > 0) {
  const names = [...Object.keys(services), ...Object.keys(packages)];
  process.stderr.write(`Usage: npm run bundle -- <${names.join(' | ')}> <directory>\n`);
  process.exit(2);
}
if (isService(what)) await bundle(what, directory);
else await makePackage?.(directory);
