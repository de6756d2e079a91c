import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the checkout, wherever the script is called from. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
