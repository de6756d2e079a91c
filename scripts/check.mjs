// `npm run check`: types, lint and format of everything, in seconds.
import { check } from './test/check.mjs';

process.exit((await check()).length === 0 ? 0 : 1);
