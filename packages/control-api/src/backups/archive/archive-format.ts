// Without zod, which the thread that makes an archive does not wait for.

/** What later versions raise when an older one could no longer read an archive; a newer format is refused, not guessed at. */
export const archiveFormat = 1;

/** The first entry of every archive. */
export const manifestName = 'manifest.json';

/** At the top of a volume: only root may look into it, and it is no part of any farm. */
export const volumesOwn = 'lost+found';

/** What an archive may have at the most: far more than any farm, and little enough that reading a hostile one is over soon. */
export const archiveLimits = {
  entries: 20_000,
  /** Of manifest.json. */
  manifestBytes: 8 * 1_024 ** 2,
  /** Of all files together. */
  totalBytes: 32 * 1_024 ** 3,
  pathLength: 1_000,
} as const;

const control = /\p{Cc}/u;

/** Why a name cannot stand in an archive, on any machine that it may be brought to. */
export function nameProblem(name: string): string | undefined {
  if (name === '' || name === '.' || name === '..') return 'is no name';
  if (!name.isWellFormed()) return 'is no UTF-8';
  if (control.test(name)) return 'has control characters';
  if (/[/\\]/.test(name)) return 'contains a slash';
  return undefined;
}
