import { openedStore } from './opened-store.ts';

// Opens a store as a service does at its start, and says what that says.
const [directory = ''] = process.argv.slice(2);
const { store, lines } = openedStore(directory);
await store.close();
process.stdout.write(`${JSON.stringify(lines)}\n`);
