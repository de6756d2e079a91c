import fc from 'fast-check';
// Imported, as it is to be done once a process, and this file is run for each file of tests.
import './equal-bytes.ts';
import './patience.ts';
import { tellOfPagesWhenFailed } from './failed-pages.ts';
import { count, seed } from './scale.ts';

fc.configureGlobal({ seed, numRuns: count({ small: 100, long: 10_000 }) });
tellOfPagesWhenFailed();
