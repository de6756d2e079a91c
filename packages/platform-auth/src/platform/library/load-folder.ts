import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as others } from 'node:timers/promises';

/** Loads each file of a folder in a turn of its own, in the order of their names. */
export async function loadFolder(
  require: NodeJS.Require,
  folder: string,
  which: RegExp,
): Promise<ReadonlyMap<string, object>> {
  const loaded = new Map<string, object>();
  const files = readdirSync(folder).filter((file) => which.test(file));
  for (const file of files.toSorted()) {
    loaded.set(file, require(join(folder, file)));
    await others();
  }
  return loaded;
}
