import fc from 'fast-check';
import { count, seed } from './scale.ts';

fc.configureGlobal({ seed, numRuns: count({ small: 100, long: 10_000 }) });
