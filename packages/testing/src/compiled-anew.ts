import { spawnSync } from 'node:child_process';

/** What a service needs of Node, beside what every process has from the start. */
const needed = ['http', 'https', 'worker_threads', 'sqlite'];

/**
 * How many of Node's own modules a process has to compile that is started with these options, or that runs this first: none, as a rule, as
 * Node brings them compiled; all of them, where V8 has flags that it was not compiled with.
 */
export function compiledAnew(nodeOptions: readonly string[], first = ''): number {
  const program = `(async () => {
    ${first}
    for (const name of ${JSON.stringify(needed)}) require('node:' + name);
    const { compiledWithoutCache } = require('internal/test/binding').internalBinding('builtins').getCacheUsage();
    process.stdout.write(String(compiledWithoutCache.size));
  })()`;
  const args = [...nodeOptions, '--no-warnings', '--expose-internals', '--eval', program];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (stderr !== '') throw new Error(stderr);
  return Number(stdout);
}
