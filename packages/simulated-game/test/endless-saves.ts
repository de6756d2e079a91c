import { foundFarm } from '../src/saves/farm-state.ts';
import { SaveFolders } from '../src/saves/save-store.ts';
import { Random } from '../src/time/random.ts';
import { testSettings } from './test-farm.ts';

// Saves without end, for a test that ends it.
const saves = new SaveFolders({ directory: process.argv[2] ?? '', bytes: 100_000 });
const farm = saves.load() ?? foundFarm(testSettings, new Random('endless'));
for (;;) {
  farm.generation += 1;
  saves.write(farm);
  process.stdout.write(`saved ${farm.generation}\n`);
}
