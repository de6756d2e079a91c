import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ownershipFormat } from '../packages/control-api/src/ownership/ownership-map.ts';
import { readSettings } from '../packages/control-api/src/settings/document.ts';
import { farmOriginsFormat } from '../packages/control-api/src/settings/farm-origins.ts';
import { readOperations } from '../packages/control-api/src/store/operations-format.ts';
import { recordFormat } from '../packages/platform-auth/src/download/kept/installed.ts';
import { journalFormat } from '../packages/platform-auth/src/download/kept/journal.ts';
import { markerFormat } from '../packages/platform-auth/src/download/kept/marker.ts';
import { sessionFormat } from '../packages/platform-auth/src/tokens/session-file.ts';
import { keptFiles } from '../tools/pages/files-on-disk.ts';

const samples = new URL('kept-files/', import.meta.url);

/** What of each file's samples has to be there after it is read, in the words of today. */
const readers: Readonly<Record<string, { read: (text: string) => unknown; holds: object }>> = {
  'ownership-map': {
    read: (text) => ownershipFormat.read(text),
    holds: { content: { saveGeneration: 3, farmhands: { '7': { owner: 'released' } } } },
  },
  settings: {
    read: readSettings,
    holds: { ok: true, value: { warnings: [], settings: { server: { maxPlayers: 10 } } } },
  },
  operations: {
    read: readOperations,
    holds: {
      kind: 'lines',
      unreadable: 0,
      operations: [{ id: '1' }, { state: 'applied' }, { id: '2' }, { id: '3' }],
    },
  },
  'farm-origins': {
    read: (text) => farmOriginsFormat.read(text),
    holds: { content: { farms: [{ farmId: 'Village_2' }, { farmId: 'Meadow_1' }] } },
  },
  session: { read: (text) => sessionFormat.read(text), holds: { content: { username: 'ann' } } },
  'game-marker': {
    read: (text) => markerFormat.read(text),
    holds: { content: { totalFiles: 194, apps: [{ depots: [{ manifestId: '8132957032463429817' }] }] } },
  },
  'game-record': {
    read: (text) => recordFormat.read(text),
    holds: { content: { files: { 'Content/Data/Fish.xnb': { size: 10 } }, links: { 'lib.so': 'lib.so.1' } } },
  },
  'game-journal': {
    read: (text) => journalFormat.read(text),
    holds: {
      content: {
        steps: [{ do: 'remove' }, {}, {}, {}, { do: 'put', from: '0f343b0931126a20f133d67c2b018a3b' }],
      },
    },
  },
};

it('every kept file has a reader here', () => {
  expect(Object.keys(readers).sort()).toEqual([...keptFiles.keys()].sort());
});

describe.each([...keptFiles])('%s', (name, { current, unversioned }) => {
  const versions = Array.from({ length: current }, (_, index) => String(index + 1));
  const all = unversioned === undefined ? versions : [...versions, 'unversioned'];
  const { read, holds } = readers[name] ?? { read: () => undefined, holds: {} };

  it('has a sample of each version that anybody may still have', () => {
    expect(readdirSync(new URL(name, samples)).sort()).toEqual(all.sort());
  });

  it.each(all)('is read as it was written: %s', (version) => {
    expect(read(sample(name, version))).toMatchObject(holds);
  });

  it('of the next version is neither read nor called corrupt', () => {
    const newer = sample(name, String(current)).replace(
      new RegExp(`"version": ?${current}\\b`),
      `"version":${current + 1}`,
    );
    expect(newer).not.toBe(sample(name, String(current)));
    const said = read(newer);
    expect(said).not.toMatchObject({ kind: 'corrupt' });
    expect(said).toMatchObject({ reason: expect.stringContaining(`format ${current + 1}`) });
  });
});

function sample(name: string, version: string): string {
  return readFileSync(new URL(`${name}/${version}`, samples), 'utf8');
}
