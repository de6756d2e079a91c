import { setImmediate as turn } from 'node:timers/promises';
import { lookAtProcessLock, takeProcessLock } from '../src/files/process-lock.ts';

// Takes a lock, of which it keeps nothing, and holds it until it is killed; with `collect`, Node's garbage is collected once. With
// `look` it only says first whether somebody holds it.
const [lock = '', holder = '', more] = process.argv.slice(2);
if (more === 'look') process.stdout.write(`${(await lookAtProcessLock({ lock, holder }))?.kind ?? 'free'}\n`);
await take();
setInterval(() => {}, 60_000);
if (more === 'collect') {
  await turn();
  globalThis.gc?.();
  await turn();
  process.stdout.write('collected\n');
}

async function take(): Promise<void> {
  const now = () => new Date('2026-11-21T06:30:00.000Z');
  const { kind } = await takeProcessLock({ lock, holder }, { command: 'serve', now });
  process.stdout.write(`${kind}\n`);
}
