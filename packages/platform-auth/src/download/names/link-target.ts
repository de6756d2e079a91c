import { hostileManifest } from '../problems/problem.ts';

/** As many as Linux follows before it speaks of a loop. */
const mostHops = 40;

/** What a name is a link to; undefined where it is none. */
export type LinkLookup = (name: string) => string | undefined;

/**
 * Follows a link as the system would, one part at a time, and refuses one that at any step is outside the folder: a target
 * that looks harmless may go through another link.
 */
export function checkLink(name: string, target: string, lookup: LinkLookup): void {
  const at = name.split('/').slice(0, -1);
  let left = targetParts(name, target);
  let hops = 0;
  for (let part = left.shift(); part !== undefined; part = left.shift()) {
    if (part === '..') {
      if (at.pop() === undefined) throw hostileManifest(name, 'is a link that leads out of its folder');
      continue;
    }
    at.push(part);
    const further = lookup(at.join('/'));
    if (further === undefined) continue;
    hops += 1;
    if (hops > mostHops) throw hostileManifest(name, 'is a link that leads round in a circle');
    at.pop();
    left = [...targetParts(name, further), ...left];
  }
}

/** What speaks against a link's target wherever the link lies. */
export function objectionToTarget(target: string): string | undefined {
  if (target === '') return 'is a link to nothing';
  if (/[\p{Cc}\\]/u.test(target)) return 'is a link whose target is malformed';
  if (target.startsWith('/')) return 'is a link to an absolute path';
  return undefined;
}

function targetParts(name: string, target: string): string[] {
  const objection = objectionToTarget(target);
  if (objection !== undefined) throw hostileManifest(name, objection);
  return target.split('/').filter((part) => part !== '' && part !== '.');
}
