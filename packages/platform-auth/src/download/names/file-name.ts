import { hostileManifest } from '../problems/problem.ts';
import { reservedNames } from './places.ts';

/** What the file systems that a volume may lie on take; a real name is far from it. */
const longestComponentBytes = 255;
const longestNameBytes = 1024;

// Device names mean devices on some systems whatever the extension and the folder.
const deviceName = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i;
const control = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/** Refuses a name from a manifest that could lead, or mislead, out of the folder that it is meant for. */
export function checkName(name: string): void {
  const objection = objectionToName(name);
  if (objection !== undefined) throw hostileManifest(name, objection);
}

/** What speaks against a name below a folder; undefined for one that leads to its own place in it. */
export function objectionToName(name: string): string | undefined {
  if (name === '') return 'has no name';
  if (!name.isWellFormed()) return 'is not a well-formed text';
  if (control.test(name)) return 'has control characters in its name';
  if (name.includes('\\')) return 'has a backslash in its name';
  if (name.includes(':')) return 'has a colon in its name';
  if (name.startsWith('/')) return 'begins at the root of the file system';
  if (Buffer.byteLength(name) > longestNameBytes) return 'has a name that is too long';
  const parts = name.split('/');
  for (const part of parts) {
    if (part === '') return 'has an empty part in its name';
    if (part === '.' || part === '..') return 'leads out of its folder';
    if (part.endsWith('.') || part.endsWith(' ') || part.startsWith(' '))
      return 'has a part that begins with a space, or ends with one or with a dot';
    if (Buffer.byteLength(part) > longestComponentBytes) return 'has a part that is too long';
    if (deviceName.test(part)) return 'has the name of a device';
  }
  const [first = ''] = parts;
  if (reservedNames.some((reserved) => folded(first) === folded(reserved)))
    return 'has a name that the downloader keeps for itself';
  return undefined;
}

/** Names that some file systems take for one and the same are equal in this form. */
export function folded(name: string): string {
  return name.normalize('NFC').toLowerCase().normalize('NFC');
}

/** The folders above a name, outermost first. */
export function parentsOf(name: string): readonly string[] {
  const parts = name.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
}

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
    if (hops > mostHops) throw hostileManifest(name, 'is a link in a loop');
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
