import type { Codes } from './way-truth.ts';

/** Every way in, for each kind of client that can take it, with what its connection ids begin with. */
export const doors = [
  { name: 'stock by friends list', client: 'stock', through: 'friends', prefix: 'SN_' },
  { name: 'stock by S code', client: 'stock', through: 'S', prefix: 'SN_' },
  { name: 'stock by G code', client: 'stock', through: 'G', prefix: 'GN_' },
  { name: 'stock by address', client: 'stock', through: 'address', prefix: 'L_' },
  { name: 'test by friends list', client: 'test', through: 'friends', prefix: 'GN_' },
  { name: 'test by S code', client: 'test', through: 'S', prefix: 'GN_' },
  { name: 'test by G code', client: 'test', through: 'G', prefix: 'GN_' },
  { name: 'test by address', client: 'test', through: 'address', prefix: 'L_' },
] as const;

export type Door = (typeof doors)[number];

/** What a player types to come this way, with the codes that were given out. */
export function wordsOf({ client, through }: Door, codes: Codes): readonly string[] {
  switch (through) {
    case 'friends':
      return ['--client', client, '--friends'];
    case 'address':
      return ['--client', client, '--ip'];
    case 'S':
      return ['--client', client, '--code', codes.platform ?? 'S'];
    case 'G':
      return ['--client', client, '--code', codes.network ?? 'G'];
  }
}
