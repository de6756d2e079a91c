const defaultSeed = 413150;

export type Scale = 'small' | 'long';

/** The one switch between `npm test` and `npm run test:long`. */
export const scale: Scale = readScale(process.env['SCALE']);

/** Every random choice in the tests starts here; a failure names it, and `SEED=… npm test` plays it again. */
export const seed: number = readSeed(process.env['SEED']);

/** A count that states both its sizes, so that neither run can shrink without a diff that shows it. */
export function count(sizes: Record<Scale, number>): number {
  return sizes[scale];
}

function readScale(value: string | undefined): Scale {
  if (value === undefined || value === '' || value === 'small') return 'small';
  if (value === 'long') return 'long';
  throw new Error(`SCALE is "${value}"; it is small or long`);
}

function readSeed(value: string | undefined): number {
  if (value === undefined || value === '') return defaultSeed;
  const number = Number(value);
  if (Number.isSafeInteger(number)) return number;
  throw new Error(`SEED is "${value}"; it is an integer`);
}
