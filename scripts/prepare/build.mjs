import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mjs';
import { run } from './run.mjs';

/** What runs is built JavaScript; `tsc -b` looks for itself what has changed. */
export async function build() {
  if (!existsSync(join(root, 'packages', 'local-stack', 'dist')))
    console.error('steward: building, which takes a while the first time');
  const status = await run('node', [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-b'], {
    cwd: root,
    stdio: ['ignore', process.stderr.fd, 'inherit'],
  });
  if (status !== 0) throw new Error('the build failed');
}
