// Runs before every npm script, on whatever Node (>= 20) the machine has and with nothing installed:
// installs when the lockfile changed, makes sure Node 24 is what the script itself will run on, builds.

import { build } from './prepare/build.mjs';
import { install } from './prepare/install.mjs';
import { requireNode24 } from './prepare/node24.mjs';

try {
  await install();
  requireNode24();
  await build();
} catch (error) {
  console.error(`steward: ${error instanceof Error ? error.message : error}`);
  process.exit(1);
}
