import { fileSystem } from './file-system.ts';

const [app, root, ...rest] = process.argv.slice(2);

if (app === undefined || root === undefined || rest.length > 0) {
  process.stderr.write('Usage: node tools/image/main.ts <directory of the service> <directory to make>\n');
  process.exit(2);
}
fileSystem(app, root);
