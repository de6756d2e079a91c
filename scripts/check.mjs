// `npm run check`: types, lint and format of everything, in seconds.
import { check } from './test/check.mjs';

process.exit(check() ? 0 : 1);
