import type { Depot, DepotFile } from '../depot.ts';
import { makeDepot } from '../make-depot.ts';
import { hostileDistortions, hostileLinks, hostileNames } from './dangers.ts';

export const innocentName = 'innocent.txt';
const distortedName = 'distorted.bin';
const innocent: DepotFile = { kind: 'file', name: innocentName, content: Buffer.from('as it should be\n') };
const payload = Buffer.from('this must not get out\n');

/** One depot per danger, by what is wrong with it. Each also holds an innocent file, to see what becomes of it. */
export function hostileDepots(depotId: number): ReadonlyMap<string, Depot> {
  const depot = (danger: string, files: DepotFile[]) =>
    makeDepot({ depotId, name: danger, osList: 'linux', format: 'zip' }, [...files, innocent]);
  const file = (name: string): DepotFile => ({ kind: 'file', name, content: payload });
  const depots = new Map<string, Depot>();
  for (const [danger, name] of Object.entries(hostileNames)) depots.set(danger, depot(danger, [file(name)]));
  for (const [danger, { name, target }] of Object.entries(hostileLinks)) {
    depots.set(danger, depot(danger, [{ kind: 'symlink', name, target }]));
  }
  for (const [danger, files] of Object.entries(collisions(file))) depots.set(danger, depot(danger, files));
  for (const [danger, distortion] of Object.entries(hostileDistortions)) {
    const files = [file(distortedName), innocent];
    const distort = {
      distort: ([first, ...rest]: Parameters<typeof distortion>[0][]) => {
        return first === undefined ? rest : [distortion(first), ...rest];
      },
    };
    depots.set(
      danger,
      makeDepot({ depotId, name: danger, osList: 'linux', format: 'zip', ...distort }, files),
    );
  }
  return depots;
}

/** Entries that are harmless one by one and not together. */
function collisions(file: (name: string) => DepotFile): Record<string, DepotFile[]> {
  return {
    'names that differ in case': [file('Content/Readme.txt'), file('content/README.TXT')],
    'names that differ in Unicode form': [file('caf\u00e9.txt'), file('cafe\u0301.txt')],
    'the same name twice': [file('twice.txt'), file('twice.txt')],
    'the same name with either separator': [file('Content/twice.txt'), file('Content\\twice.txt')],
    'file under a file': [file('parent'), file('parent/child.txt')],
    'file under a link': [{ kind: 'symlink', name: 'out', target: '..' }, file('out/outside.txt')],
    'chain of links that leads out': [
      { kind: 'directory', name: 'a' },
      { kind: 'symlink', name: 'a/b', target: '..' },
      { kind: 'symlink', name: 'c', target: 'a/b/..' },
    ],
  };
}
