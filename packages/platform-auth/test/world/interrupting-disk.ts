import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

// Loaded before a command: it gets a signal when it puts the first file of the stage in its place, which then takes a while.
const { DISK_SENDS: sends, DISK_SAYS_THEN: code = '' } = process.env;
/** Of the event loop: far more than a command needs that ends at once. */
const turnsOfFirst = 500;
/** npm passes on the Ctrl-C that the terminal has sent to every process. */
const turnsOfNpm = 10;

/** The environment in which a command meets such a disk, which may refuse to put that file there. */
export function interruptingDisk(signal: NodeJS.Signals, says = ''): NodeJS.ProcessEnv {
  const preload = fileURLToPath(import.meta.url);
  return { NODE_OPTIONS: `--import ${preload}`, DISK_SENDS: signal, DISK_SAYS_THEN: says };
}

if (sends !== undefined) {
  const { rename } = fs.promises;
  let isFirst = true;
  fs.promises.rename = async (from, to) => {
    if (isFirst && String(from).includes('/.download/stage/')) {
      isFirst = false;
      process.kill(process.pid, sends);
      for (let turns = 0; turns < turnsOfFirst; turns += 1) {
        if (sends === 'SIGINT' && turns === turnsOfNpm) process.kill(process.pid, sends);
        await turn();
      }
      if (code !== '') throw Object.assign(new Error(`${code}: rename`), { code, syscall: 'rename' });
    }
    return rename(from, to);
  };
  syncBuiltinESMExports();
}
