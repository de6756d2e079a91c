import { spawnSync } from 'node:child_process';

const inNamespace = ['--map-root-user', '--mount'];

/** Whether a user may mount a disk of their own here, in a namespace where no other process sees it. */
export const canMount =
  spawnSync('unshare', [...inNamespace, 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

/** Runs a program of this folder with a disk of its own in place of a folder; what lies there in the end is the last of its output. */
export function onOwnDisk(disk: string, option: string, program: string, args: readonly string[]) {
  const script = `disk=$1; shift; mount -t tmpfs -o ${option} none "$disk" && "$@"; ls -A "$disk"`;
  const command = [process.execPath, `packages/control-api/test/backups/stage/${program}`, ...args];
  return spawnSync('unshare', [...inNamespace, 'sh', '-c', script, 'sh', disk, ...command], {
    encoding: 'utf8',
  });
}
