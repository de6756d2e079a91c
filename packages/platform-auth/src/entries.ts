/** What this service starts beside itself, as a thread or a process: files of their own, also where the rest is bundled. */
export const entries = {
  'decode-worker': './download/decode/decode-worker.ts',
  'download-worker': './download/background/download-worker.ts',
} as const;

/** What Node is told wherever this serves. */
export const nodeOptions = [
  '--disable-sigusr1',
  // All that loading steam-user throws away would make V8 give new objects 130 MB, and keep them. With 2 MB, and one thread to help with
  // collecting, it takes a sixth less of the processor.
  '--max-semi-space-size=2',
  '--min-semi-space-size=2',
  '--v8-pool-size=1',
] as const;

/** Run from the sources, a file stands where the table says; in a bundle, beside the others under its name. */
export function entryUrl(name: keyof typeof entries): URL {
  const file = import.meta.url.endsWith('.ts') ? entries[name] : `./${name}.js`;
  return new URL(file, import.meta.url);
}
