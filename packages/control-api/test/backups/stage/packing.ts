import { ThreadArchivist } from '../../../src/backups/archive/thread-archivist.ts';
import { about } from './archives.ts';

// Packs a folder again and again, and says when it has begun.
const [source = '', to = ''] = process.argv.slice(2);
const archivist = new ThreadArchivist();
for (let made = 0; ; made += 1) {
  process.stdout.write(`begun ${made}\n`);
  const name = `${to}/20261122T190000Z-${made.toString(16).padStart(6, '0')}.steward.tar.zst`;
  await archivist.pack({ to: name, sources: [{ into: 'saves', path: source }], about });
}
