import { takeProcessLock } from '../src/files/process-lock.ts';

// Takes a lock and holds it until it is killed.
const [lock = '', holder = ''] = process.argv.slice(2);
const now = () => new Date('2026-11-21T06:30:00.000Z');
const taken = await takeProcessLock({ lock, holder }, { command: 'serve', now });
process.stdout.write(`${taken.kind}\n`);
setInterval(() => {}, 60_000);
