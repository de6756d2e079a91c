// `npm run bench`: whatever ends it ends the services that it measures, too.
import { root } from './prepare/root.mjs';
import { run } from './prepare/run.mjs';

const stdio = ['ignore', 'inherit', 'inherit'];
process.exit(await run('node', ['benchmarks/src/main.ts', ...process.argv.slice(2)], { cwd: root, stdio }));
