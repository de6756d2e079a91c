import { globSync } from 'node:fs';
import { basename, join } from 'node:path';

/**
 * The files that become programs of their own: `main.ts`, and each `*-worker.ts`, which a thread runs. All of them lie
 * in one folder when they are bundled, with the modules that start them; so a worker that stands beside its starter is
 * found by `new URL('./decode-worker.js', import.meta.url)`, bundled or not.
 */
export function programFiles(source: string): Record<string, string> {
  const files = globSync(['main.ts', '**/*-worker.ts'], { cwd: source });
  return Object.fromEntries(files.map((file) => [basename(file, '.ts'), join(source, file)]));
}
