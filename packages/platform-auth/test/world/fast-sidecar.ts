import { createRequire, syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { serve } from '../../src/serve.ts';
import { fastClock } from './fast-clock.ts';
import { announceLongTurns } from './long-turns.ts';

// The service as it is, with waits of minutes lasting milliseconds: what a chaos run needs to get through its faults.
const clock = fastClock(Number(process.env['CLOCK_SPEED']));

// As in containers of several names on one machine.
const { MACHINE_NAME: machine } = process.env;
if (machine) {
  os.hostname = () => machine;
  syncBuiltinESMExports();
}

const require = createRequire(import.meta.url);
const fromLibrary = createRequire(require.resolve('steam-user'));

/** What nobody catches: one error of our own, with whatever a careless line could put into it, and two of the libraries'. */
const crashes: Readonly<Record<string, () => unknown>> = {
  ours() {
    throw new Error(`crashed while holding ${process.env['CRASH_TEXT']}`);
  },
  'a malformed token': () =>
    new (require('steam-user'))({ dataDirectory: null }).logOn({ refreshToken: 'a.b.c' }),
  'a wrong key': () =>
    fromLibrary('@doctormckay/steam-crypto').symmetricDecrypt(Buffer.alloc(48, 7), Buffer.alloc(32)),
};

process.on('SIGUSR2', () => crashes[process.env['CRASH'] ?? 'ours']?.());

await serve(clock);
// What it does before it listens keeps nobody waiting.
announceLongTurns();
