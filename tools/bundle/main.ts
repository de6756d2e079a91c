import { bundle } from './bundle.ts';
import { clientPackage } from './client-package.ts';
import { isService, services } from './services.ts';

const [what = '', directory, ...rest] = process.argv.slice(2);

if ((!isService(what) && what !== 'client') || directory === undefined || rest.length > 0) {
  const names = [...Object.keys(services), 'client'];
  process.stderr.write(`Usage: npm run bundle -- <${names.join(' | ')}> <directory>\n`);
  process.exit(2);
}
if (what === 'client') await clientPackage(directory);
else await bundle(what, directory);
