import { claims } from './claims.ts';
import { connecting } from './connecting.ts';
import { journal } from './journal.ts';
import type { Rule } from './rule.ts';
import { stopping } from './stopping.ts';
import { wire } from './wire.ts';

/** In the order in which they are checked: what others build upon comes first. */
export const allRules: readonly Rule[] = [...connecting, ...wire, ...claims, ...journal, ...stopping];
