import { readFileSync } from 'node:fs';

/** Kept for what a process has open besides its connections. */
const spare = 500;

/** How many connections a process may have here: each is an open file. */
export function mostConnections(): number {
  const [, soft = ''] = /Max open files\s+(\d+)/.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  return Number(soft) - spare;
}
