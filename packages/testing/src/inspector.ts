import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const listening = '0A';

/** Asks a process for Node's inspector, and answers how many sockets more it listens on after that. */
export async function socketsAfterSigusr1(pid: number): Promise<number> {
  const before = listeningSockets(pid).length;
  process.kill(pid, 'SIGUSR1');
  // A process of Node's that was asked later: once this one has opened its inspector, the other would have, too.
  const open = spawn(process.execPath, [
    '--inspect-port=0',
    '--eval',
    'console.log(); setInterval(() => {}, 1000)',
  ]);
  await once(open.stdout, 'data');
  open.kill('SIGUSR1');
  await once(open.stderr, 'data');
  open.kill('SIGKILL');
  return listeningSockets(pid).length - before;
}

/** The sockets on which a process listens over TCP, by their inodes. */
function listeningSockets(pid: number): string[] {
  const inodes = new Set(
    ['tcp', 'tcp6'].flatMap((table) =>
      readFileSync(`/proc/${pid}/net/${table}`, 'utf8')
        .split('\n')
        .map((line) => line.trim().split(/\s+/))
        .filter((columns) => columns[3] === listening)
        .map((columns) => `socket:[${columns[9]}]`),
    ),
  );
  return readdirSync(`/proc/${pid}/fd`)
    .map((name) => linkOf(`/proc/${pid}/fd/${name}`))
    .filter((link) => inodes.has(link));
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    // Closed meanwhile.
    return '';
  }
}
