import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from '../what-went-wrong.ts';

/** The directory itself, or the one above it that is there: where it would be made. */
export async function nearestDirectory(path: string): Promise<string> {
  try {
    await stat(path);
    return path;
  } catch (error) {
    const parent = dirname(path);
    if (errorCode(error) !== 'ENOENT' || parent === path) throw error;
    return nearestDirectory(parent);
  }
}
