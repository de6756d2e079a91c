import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A fresh directory, gone at the end of the `using` block. */
export function temporaryDirectory(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'steward-test-'));
  return {
    path,
    [Symbol.dispose]() {
      // What a killed service had started may be writing for a moment longer, until it has noticed.
      rmSync(path, { recursive: true, force: true, maxRetries: 6, retryDelay: 50 });
    },
  };
}
