import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Builds what stands between a program and its disk; the program is started with these variables, and those that `slow-disk.c` names. */
export function diskLibrary(directory: string): { readonly LD_PRELOAD: string } {
  const library = join(directory, 'disk.so');
  const source = fileURLToPath(new URL('./slow-disk.c', import.meta.url));
  execFileSync('gcc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl']);
  return { LD_PRELOAD: library };
}
