import { writeFileSync } from 'node:fs';
import { generatedFiles } from './generated-files.ts';

const root = new URL('../../../', import.meta.url);

for (const [path, content] of await generatedFiles()) {
  writeFileSync(new URL(path, root), content);
  process.stdout.write(`${path}\n`);
}
