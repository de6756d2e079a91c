import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ThreadArchivist } from '@steward/control-api/backups/archive/thread-archivist';
import { seededRandom } from '@steward/testing/seeded-random';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { shipped } from '@steward/tools/bundle/bundle';
import { type Comparison, interleave } from '../comparison.ts';
import { Bare } from '../start/bare.ts';
import { packed } from './packed.ts';
import type { Cost } from './packing.ts';

const rounds = 9;
const saveMb = 50;
/** Ten times as much, for what should not grow with it. */
const farms = 10;
const bytesOfMb = 1_000_000;
const waitBarMs = 50;
/** Of 1 GB it is the same: Node gathers so much before it gives any of it back. */
const memoryBarMb = 80;

/**
 * What a backup takes: its time beside tar's and zstd's on the same files, which neither hash what they read, nor read back what they
 * wrote; and its memory, which has a bound however large a save is.
 */
export async function backup(): Promise<readonly Comparison[]> {
  using directory = temporaryDirectory();
  const at = (...names: string[]) => join(directory.path, ...names);
  for (let farm = 0; farm < farms; farm += 1) {
    const folder = at('large', `Farm_${farm}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `Farm_${farm}`), save(farm));
  }
  const one = at('large', 'Farm_0');
  using api = await shipped('control-api');
  const entry = pathToFileURL(join(dirname(api.main), 'archivist.js'));
  const archivist = new ThreadArchivist(entry);
  const times = await interleave(rounds, {
    ours: () => timed(at('ours'), () => packed(archivist, one, at('ours'))),
    tar: () =>
      timed(at('tar'), async () => {
        execFileSync('tar', ['--zstd', '-cf', at('tar'), '-C', one, '.']);
      }),
  });
  const costOf = async (source: string): Promise<Cost> => {
    const packing = fileURLToPath(new URL('./packing.ts', import.meta.url));
    const said = execFileSync(process.execPath, [packing, source, at('cost'), entry.href], {
      encoding: 'utf8',
    });
    rmSync(at('cost'));
    return JSON.parse(said) as Cost;
  };
  const bare = await Bare.measured();
  const costs = await interleave(3, { small: () => costOf(one), large: () => costOf(at('large')) });
  return [
    {
      figure: `a backup of a save of ${saveMb} MB, read back`,
      unit: 'ms',
      ours: times.ours,
      limit: times.tar,
      beside: 'tar --zstd',
      atMost: 2,
    },
    {
      figure: `memory for a backup of ${saveMb * farms} MB`,
      unit: 'MB',
      ours: costs.large.map(({ mb }) => mb),
      limit: costs.small.map(({ mb }) => mb),
      beside: `of ${saveMb} MB`,
      bar: memoryBarMb,
      atMost: 1.25,
    },
    bare.beside(
      {
        figure: `the longest wait for the service's thread while ${saveMb * farms} MB are copied`,
        unit: 'ms',
        ours: costs.large.map(({ waitMs }) => waitMs),
      },
      'startCpuMs',
      waitBarMs,
    ),
  ];
}

async function timed(path: string, work: () => Promise<void>): Promise<number> {
  rmSync(path, { force: true });
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

const items = ['Stone', 'Parsnip', 'Hay', 'Wood', 'Cask', 'Chest', 'Wood Fence', 'Torch'] as const;

/** As a save is for the most part: things, and where they stand. */
function save(seed: number): Buffer {
  const random = seededRandom(seed + 1);
  const up = (to: number) => Math.floor(random() * to);
  const pieces: string[] = ['<?xml version="1.0" encoding="utf-8"?><SaveGame>'];
  for (let bytes = 0; bytes < saveMb * bytesOfMb; ) {
    const piece = `<Object><isLostItem>false</isLostItem><category>${-up(100)}</category><name>${items[up(items.length)]}</name><parentSheetIndex>${up(900)}</parentSheetIndex><tileLocation><X>${up(90)}</X><Y>${up(90)}</Y></tileLocation><owner>${up(10) === 0 ? up(2 ** 48) : 0}</owner><quality>${up(5)}</quality><stack>${1 + up(999)}</stack><price>${up(500)}</price></Object>`;
    bytes += piece.length;
    pieces.push(piece);
  }
  pieces.push('</SaveGame>');
  return Buffer.from(pieces.join(''));
}
