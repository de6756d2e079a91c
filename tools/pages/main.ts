import { writeFileSync } from 'node:fs';
import { endWithReader } from '@steward/service-kit/process/ending';
import { generatedFiles } from './generated-files.ts';

endWithReader();
if (process.argv.length > 2) {
  process.stdout.write(
    'npm run generate: writes again what pages and files have from the code, and lists them\n',
  );
  process.exit(process.argv.includes('--help') ? 0 : 2);
}

const root = new URL('../../', import.meta.url);

for (const [path, content] of await generatedFiles()) {
  writeFileSync(new URL(path, root), content);
  process.stdout.write(`${path}\n`);
}
