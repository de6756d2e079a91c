// Flushes the names in a directory in each way, and prints how each went.
import { join } from 'node:path';
import { flushDirectory, flushDirectorySync } from '../src/files/flush-directory.ts';
import { replaceFile } from '../src/files/replace-file.ts';
import { errorCode } from '../src/process/errors.ts';

const [path = ''] = process.argv.slice(2);
const ways = {
  flushDirectory: () => flushDirectory(path),
  flushDirectorySync: async () => flushDirectorySync(path),
  replaceFile: () => replaceFile(join(path, 'kept.json'), 'new'),
};
for (const [name, flush] of Object.entries(ways)) {
  const how = await flush().then(() => 'done', errorCode);
  process.stdout.write(`${name}: ${how}\n`);
}
