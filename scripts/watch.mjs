// `npm run test:watch`: vitest reads keys, so it keeps the terminal. SIGINT is the one signal on which it ends its workers.
import { spawn } from 'node:child_process';
import { root } from './prepare/root.mjs';

const vitest = spawn('node', ['node_modules/vitest/vitest.mjs', 'watch', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => vitest.kill('SIGINT'));
vitest.once('exit', (code) => process.exit(code ?? 1));
