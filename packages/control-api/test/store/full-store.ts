import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { openedStore } from './opened-store.ts';

// Tells one event before, one while and one after its disk is full; with the disk full from the start, none before.
const [directory = '', fileSystem] = process.argv.slice(2);
const full = process.env['FULL_WHILE'] ?? '';
const { store, events: log, failures } = openedStore(directory, { fileSystem: () => fileSystem });
if (store.problem !== undefined) {
  process.stdout.write(`${JSON.stringify({ problem: store.problem })}\n`);
  process.exit();
}
const { head, epoch } = log;
store.start();
if (!existsSync(full)) {
  log.append({ id: 1, topic: 'chat' });
  await log.kept();
  writeFileSync(full, '');
}
log.append({ id: 2, topic: 'chat' });
while (failures.length === 0) await pause(1);
rmSync(full);
log.append({ id: 3, topic: 'chat' });
await store.close();
const codes = failures.map((error) => (error instanceof Error && 'code' in error ? error.code : error));
process.stdout.write(`${JSON.stringify({ head, epoch, codes, problem: store.problem })}\n`);
