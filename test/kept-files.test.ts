import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { restoreRecordFormat } from '../packages/control-api/src/backups/restore/restore-record.ts';
import { drainFormat } from '../packages/control-api/src/drain/drain-file.ts';
import { listsFormat } from '../packages/control-api/src/moderation/lists.ts';
import { ownershipFormat } from '../packages/control-api/src/ownership/ownership-map.ts';
import { readSettings } from '../packages/control-api/src/settings/document.ts';
import { farmOriginsFormat } from '../packages/control-api/src/settings/farm-origins.ts';
import { readOperations } from '../packages/control-api/src/store/directory/operations-format.ts';
import { placesFormat } from '../packages/discord-bot/src/relay/places.ts';
import { recordFormat } from '../packages/platform-auth/src/download/kept/installed.ts';
import { journalFormat } from '../packages/platform-auth/src/download/kept/journal.ts';
import { markerFormat } from '../packages/platform-auth/src/download/kept/marker.ts';
import { contentionFormat } from '../packages/platform-auth/src/platform/contention-record.ts';
import { seedRecordFormat } from '../packages/platform-auth/src/tokens/seed-record.ts';
import { sessionFormat } from '../packages/platform-auth/src/tokens/session-file.ts';

const samples = new URL('kept-files/', import.meta.url);

interface Kept {
  /** Where it lies, as the variables name it. */
  readonly place: string;
  readonly read: (text: string) => unknown;
  /** What of its samples has to be there after they are read, in the words of today. */
  readonly holds: object;
  /** Whether it is read without a version, too. */
  readonly mayLackIt?: true;
}

/** Every file that a service reads back after a restart or an upgrade. */
const readers: Readonly<Record<string, Kept>> = {
  'ownership-map': {
    place: 'STATE_DIR/farms/<farmId>/farmhand-ownership.json',
    read: (text) => ownershipFormat.read(text),
    holds: { content: { saveGeneration: 3, farmhands: { '7': { owner: 'released' } } } },
  },
  bans: {
    place: 'STATE_DIR/bans.json',
    read: (text) => listsFormat.read(text),
    holds: {
      content: {
        bans: [{ playerName: 'Ann' }, { identity: '46265193014' }, { address: '198.51.100.0/24' }],
        allowlist: [{ playerId: '-4611686018427387905' }],
        journal: [{ command: '16394852047116039211' }],
      },
    },
  },
  settings: {
    place: 'SETTINGS_PATH',
    mayLackIt: true,
    read: readSettings,
    holds: { ok: true, value: { warnings: [], settings: { server: { maxPlayers: 10 } } } },
  },
  operations: {
    place: 'STATE_DIR/operations.jsonl',
    mayLackIt: true,
    read: readOperations,
    holds: {
      kind: 'lines',
      unreadable: 0,
      operations: [
        { id: '1' },
        { state: 'applied' },
        { id: '2' },
        { id: '3' },
        { id: '4', notDurable: true },
      ],
    },
  },
  'farm-origins': {
    place: 'STATE_DIR/farm-origins.json',
    mayLackIt: true,
    read: (text) => farmOriginsFormat.read(text),
    holds: { content: { farms: [{ farmId: 'Village_2' }, { farmId: 'Meadow_1' }] } },
  },
  'restore-record': {
    place: 'STATE_DIR/restore.json',
    read: (text) => restoreRecordFormat.read(text),
    holds: { content: { phase: 'swapping', places: [{ coming: ['Meadow_1'] }] } },
  },
  drain: {
    place: 'STATE_DIR/drain.json',
    read: (text) => drainFormat.read(text),
    holds: { content: { order: { when: 'day-end', minutes: 60 }, operationId: '16394852047116039211' } },
  },
  session: {
    place: 'SESSION_DIR/session-<account>.json',
    mayLackIt: true,
    read: (text) => sessionFormat.read(text),
    holds: { content: { username: 'ann' } },
  },
  seeds: {
    place: 'SESSION_DIR/seeds.json',
    read: (text) => seedRecordFormat.read(text),
    holds: { content: [{ fate: 'refused' }, { fate: 'taken-up' }] },
  },
  contention: {
    place: 'SESSION_DIR/contention.json',
    read: (text) => contentionFormat.read(text),
    holds: { content: { since: '2026-11-23T08:00:00.000Z', at: '2026-11-23T08:15:00.000Z' } },
  },
  'game-marker': {
    place: 'GAME_DIR/.download-manifest-413150',
    read: (text) => markerFormat.read(text),
    holds: { content: { totalFiles: 194, apps: [{ depots: [{ manifestId: '8132957032463429817' }] }] } },
  },
  'game-record': {
    place: 'GAME_DIR/.download/tree.json',
    read: (text) => recordFormat.read(text),
    holds: { content: { files: { 'Content/Data/Fish.xnb': { size: 10 } }, links: { 'lib.so': 'lib.so.1' } } },
  },
  'game-journal': {
    place: 'GAME_DIR/.download/journal.json',
    read: (text) => journalFormat.read(text),
    holds: {
      content: {
        steps: [{ do: 'remove' }, {}, {}, {}, { do: 'put', from: '0f343b0931126a20f133d67c2b018a3b' }],
      },
    },
  },
  'game-staged-build': {
    place: 'GAME_DIR/.download/staged-build.json',
    read: (text) => journalFormat.read(text),
    holds: { content: { steps: [{ do: 'remove' }, {}, {}, {}, { do: 'put' }] } },
  },
  places: {
    place: 'DATA_DIR/discord-bot/places.json',
    read: (text) => placesFormat.read(text),
    holds: {
      content: { channel: '1104123456789012345', farm: 'k3f9x-42', posting: { upTo: 'k3f9x-43' } },
    },
  },
};

const page = readFileSync(new URL('../docs/upgrades.md', import.meta.url), 'utf8');

/** The version that each file is of, and has been of since the first. */
const current = 1;

it('every kept file has a reader here', () => {
  expect(Object.keys(readers).sort()).toEqual(readdirSync(samples).sort());
});

describe.each(Object.entries(readers))('%s', (name, { place, read, holds, mayLackIt = false }) => {
  const all = mayLackIt ? [String(current), 'unversioned'] : [String(current)];

  it('stands on the page about upgrades', () => {
    expect(page).toContain(`| \`${place}\` |`);
  });

  it('has a sample of each version that anybody may still have', () => {
    expect(readdirSync(new URL(name, samples)).sort()).toEqual(all);
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
