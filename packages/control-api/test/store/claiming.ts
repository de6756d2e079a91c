import { openSync, writeSync } from 'node:fs';
import { openedStore } from './opened-store.ts';

// A process that claims operations and settles them, several at once, until it is killed: a state is a line of a file when it is said
// to be kept.
const [directory = '', toldPath = ''] = process.argv.slice(2);
const { store } = openedStore(directory);
const operations = store.operations();
store.start();
const told = openSync(toldPath, 'a');
const at = new Date().toISOString();

async function claim(id: string): Promise<void> {
  const common = {
    id,
    command: 'save',
    createdAt: at,
    changedAt: at,
    fingerprint: 'f',
    keyDigest: id,
  } as const;
  for (const state of ['claimed', 'void'] as const) {
    await operations.write({ ...common, state });
    writeSync(told, `${id} ${state}\n`);
  }
}

for (let id = 1; ; id += 4) {
  await Promise.all([id, id + 1, id + 2, id + 3].map((each) => claim(String(each))));
  process.stdout.write(`${id}\n`);
}
