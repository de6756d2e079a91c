import { takeLock } from '../../src/download/disk/lock.ts';
import { Places } from '../../src/download/names/places.ts';

// Takes the lock of a GAME_DIR and holds it until it is killed.
const [directory = ''] = process.argv.slice(2);
await takeLock(new Places(directory), 'serve', () => new Date('2026-11-21T06:30:00.000Z'));
process.stdout.write('held\n');
setInterval(() => {}, 60_000);
