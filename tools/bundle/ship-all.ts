import { join } from 'node:path';
import { ship } from './bundle.ts';
import { isService, services } from './services.ts';

// For a whole run of the tests: every service as its image has it, in the directory that is named, ready to be started.
const [directory = ''] = process.argv.slice(2);
await Promise.all(
  Object.keys(services)
    .filter(isService)
    .map((name) => ship(name, join(directory, name))),
);
