import { makeBills } from './bills.ts';
import { bundle } from './bundle.ts';
import { clientPackage } from './client-package.ts';
import { conformancePackage } from './conformance-package.ts';
import { isService, services } from './services.ts';

/** What npm publishes, and what says of a release what is in it. */
const others: Readonly<Record<string, (directory: string) => Promise<void>>> = {
  client: clientPackage,
  'bridge-conformance': conformancePackage,
  bills: makeBills,
};

const [what = '', directory, ...rest] = process.argv.slice(2);
const make = others[what];

if ((!isService(what) && make === undefined) || directory === undefined || rest.length > 0) {
  const names = [...Object.keys(services), ...Object.keys(others)];
  process.stderr.write(`Usage: npm run bundle -- <${names.join(' | ')}> <directory>\n`);
  process.exit(2);
}
if (isService(what)) await bundle(what, directory);
else await make?.(directory);
