import type { Archivist } from '@steward/control-api/backups/archive/archivist';

/** Makes an archive of the saves in a folder. */
export async function packed(archivist: Archivist, source: string, to: string): Promise<void> {
  await archivist.pack({
    to,
    sources: [{ into: 'saves', path: source }],
    about: {
      id: '20261122T190000Z-3f9a7c',
      madeAt: '2026-11-22T19:00:00.000Z',
      madeBy: '0.1.0',
      why: 'asked',
      keep: false,
      farm: {},
      parts: ['saves'],
      all: false,
    },
  });
}
