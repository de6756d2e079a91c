import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

// Loaded before a command: it gets a signal when it puts the first file of the stage in its place, which then takes a while.
const { DISK_SENDS: sends, DISK_SAYS_THEN: code = '' } = process.env;
/** Of the event loop: far more than a command needs that ends at once. */
const turnsOfFirst = 500;

/** The environment in which a command meets such a disk, which may refuse to put that file there. */
export function interruptingDisk(signal: NodeJS.Signals, says = ''): NodeJS.ProcessEnv {
  const preload = fileURLToPath(import.meta.url);
  return { NODE_OPTIONS: `--import ${preload}`, DISK_SENDS: signal, DISK_SAYS_THEN: says };
}

/**
 * npm passes on the Ctrl-C that the terminal has sent to every process: here as soon as the command has heard the first, as three tenths
 * of a second later, for which a machine may stand still, it would be a person’s second one.
 */
function passOnCtrlC(): void {
  process.once('SIGINT', () => process.emit('SIGINT', 'SIGINT'));
}

if (sends !== undefined) {
  const { rename } = fs.promises;
  let isFirst = true;
  fs.promises.rename = async (from, to) => {
    if (isFirst && String(from).includes('/.download/stage/')) {
      isFirst = false;
      if (sends === 'SIGINT') passOnCtrlC();
      process.kill(process.pid, sends);
      for (let turns = 0; turns < turnsOfFirst; turns += 1) await turn();
      if (code !== '') throw Object.assign(new Error(`${code}: rename`), { code, syscall: 'rename' });
    }
    return rename(from, to);
  };
  syncBuiltinESMExports();
}
