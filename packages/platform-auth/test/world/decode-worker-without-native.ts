import { registerHooks } from 'node:module';

// The decode worker as it is on a machine that no binary of @napi-rs/lzma is for.
registerHooks({
  resolve(specifier, context, next) {
    if (!specifier.startsWith('@napi-rs/lzma')) return next(specifier, context);
    throw new Error('Cannot find native binding');
  },
});

await import('../../src/download/decode/decode-worker.ts');
