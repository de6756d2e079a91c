import { statfsSync } from 'node:fs';
import type { Log } from '@steward/service-kit/log/logger';
import type { Journal } from '../tables/database.ts';

/**
 * File systems that reach further than this machine's kernel, by the numbers that Linux's `statfs` gives: WAL needs memory that all
 * who have the file open share, and these have none, or say that they do.
 */
const shared: ReadonlyMap<number, string> = new Map([
  [0x69_69, 'NFS'],
  [0x51_7b, 'SMB'],
  [0xff_53_4d_42, 'SMB'],
  [0xfe_53_4d_42, 'SMB'],
  [0x01_02_19_97, '9p'],
  // virtiofs and the folders that desktops lend to their virtual machines say so, too.
  [0x65_73_55_46, 'FUSE'],
  [0x78_6f_42_56, 'a shared folder of VirtualBox'],
  [0xba_cb_ac_bc, 'a shared folder of VMware'],
  [0x00_c3_64_00, 'Ceph'],
  [0x53_46_41_4f, 'AFS'],
  [0x6b_41_46_53, 'AFS'],
  [0x01_16_19_70, 'GFS2'],
  [0x74_61_63_6f, 'OCFS2'],
  [0x0b_d0_0b_d0, 'Lustre'],
  [0x19_83_03_26, 'BeeGFS'],
  [0x47_50_46_53, 'GPFS'],
]);

/** Numbers of 32 bits come with a sign on some machines. */
const bits = 0xff_ff_ff_ff;

/** What the directory's file system is called, where it is none of this machine alone. */
export function sharedFileSystem(
  directory: string,
  typeOf: (directory: string) => number = (path) => statfsSync(path).type,
): string | undefined {
  // Elsewhere the numbers mean something else.
  if (process.platform !== 'linux') return undefined;
  try {
    return shared.get((typeOf(directory) & bits) >>> 0);
  } catch {
    return undefined;
  }
}

/** What a database in this directory keeps its changes whole by. */
export function journalFor(
  directory: string,
  log: Pick<Log, 'warn'>,
  fileSystem: (directory: string) => string | undefined = sharedFileSystem,
): Journal {
  const shared = fileSystem(directory);
  if (shared === undefined) return 'wal';
  log.warn(
    { directory, remedy: 'Put STATE_DIR on a disk of this machine, for example on a volume' },
    `STATE_DIR is on ${shared}, where the database is slower and less safe in a power cut`,
  );
  return 'rollback';
}
