import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

/** What this service starts beside itself as a thread: files of their own, also where the rest is bundled. */
export const entries = {
  'store-writer': './store/writing/writer-worker.ts',
  archivist: './backups/archive/archive-worker.ts',
  'database-copy': './store/copy-worker.ts',
} as const;

/** What Node is told wherever this serves. */
export const nodeOptions = [
  '--disable-sigusr1',
  // Of its own accord V8 gives new objects ever more room under load, 100 MB in the end, and never takes it back. With 4 MB from the start,
  // V8 need not collect again and again while the service starts; that took a tenth of the start.
  '--max-semi-space-size=4',
  '--min-semi-space-size=4',
  // One thread is enough to help with collecting so little; four take a megabyte.
  '--v8-pool-size=1',
] as const;

/** Where the page is that was built: beside what runs, or in its own package. */
export function pageDirectory(): string {
  const built = import.meta.url.endsWith('.ts') ? '../../dashboard/dist/' : './dashboard/';
  return fileURLToPath(new URL(built, import.meta.url));
}

/** The OpenAPI document: beside what runs, or where `npm run generate` writes it. */
export function documentFile(): URL {
  const file = import.meta.url.endsWith('.ts') ? '../../../docs/api-spec.json' : './api-spec.json';
  return new URL(file, import.meta.url);
}

/** Run from the sources, a file stands where the table says; in a bundle, beside the others under its name. */
export function entryUrl(name: keyof typeof entries): URL {
  const file = import.meta.url.endsWith('.ts') ? entries[name] : `./${name}.js`;
  return new URL(file, import.meta.url);
}

/**
 * Node may have been started with options for how much room new objects have. This thread has that room by now; each thread that is started
 * later would get as much, whatever its own limits say.
 */
export function leaveThreadsTheirLimits(): void {
  for (const size of ['min', 'max']) setFlagsFromString(`--${size}-semi-space-size=0`);
}
