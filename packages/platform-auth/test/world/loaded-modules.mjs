// Preloaded into a program under test: writes to stderr what it has loaded, once it ends.
import { registerHooks } from 'node:module';

const loaded = new Set();
registerHooks({
  load(url, context, next) {
    loaded.add(url);
    return next(url, context);
  },
});
process.on('exit', () => process.stderr.write([...loaded].join('\n')));
