import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { programFiles } from './program-files.ts';

it('finds the program and its workers, wherever they stand', () => {
  using source = temporaryDirectory();
  mkdirSync(join(source.path, 'download', 'decode'), { recursive: true });
  const files = ['main.ts', 'serve.ts', 'download/decode/decode-worker.ts', 'download/decode/worker-pool.ts'];
  for (const file of files) writeFileSync(join(source.path, file), '');
  expect(programFiles(source.path)).toEqual({
    main: join(source.path, 'main.ts'),
    'decode-worker': join(source.path, 'download', 'decode', 'decode-worker.ts'),
  });
});
