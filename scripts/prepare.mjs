// Runs before every npm script, on whatever Node (>= 20) the machine has and with nothing installed:
// says where no Node 24 can be had, installs when the lockfile changed, and makes sure that the script itself will run on Node 24.

import { install } from './prepare/install.mjs';
import { requireNode24, requireSomeNode24 } from './prepare/node24.mjs';

try {
  requireSomeNode24();
  await install();
  requireNode24();
} catch (error) {
  console.error(`steward: ${error instanceof Error ? error.message : error}`);
  process.exit(1);
}
