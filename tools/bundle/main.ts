import { bundle } from './bundle.ts';
import { isService, services } from './services.ts';

const [service = '', directory, ...rest] = process.argv.slice(2);

if (!isService(service) || directory === undefined || rest.length > 0) {
  process.stderr.write(`Usage: npm run bundle -- <${Object.keys(services).join(' | ')}> <directory>\n`);
  process.exit(2);
}
await bundle(service, directory);
