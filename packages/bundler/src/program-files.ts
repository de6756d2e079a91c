import { globSync } from 'node:fs';
import { basename, join } from 'node:path';

/**
 * The files that become programs of their own: `main.ts`, others that are named, and each `*-worker.ts`, which a thread or process runs. All of them lie
 * in one folder when they are bundled, with the modules that start them; so a worker that stands beside its starter is
 * found by `new URL('./decode-worker.js', import.meta.url)`, bundled or not.
 */
export function programFiles(source: string, others: readonly string[] = []): Record<string, string> {
  const named = ['main', ...others].map((program) => `${program}.ts`);
  const files = globSync([...named, '**/*-worker.ts'], { cwd: source });
  return Object.fromEntries(files.map((file) => [basename(file, '.ts'), join(source, file)]));
}
