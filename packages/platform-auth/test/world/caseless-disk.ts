import type * as Disk from 'node:fs/promises';

/** Which folder lies on a volume that knows no case, as those of Docker Desktop and macOS do; none at first. */
export const caseless = { root: '' };

const onePath = [
  ...(['access', 'chmod', 'lstat', 'mkdir', 'open', 'readFile', 'readdir', 'readlink'] as const),
  ...(['rm', 'rmdir', 'stat', 'statfs', 'writeFile'] as const),
] as const;
const twoPaths = ['copyFile', 'rename'] as const;

type Call = (...args: readonly unknown[]) => unknown;

function folded(path: unknown): unknown {
  const { root } = caseless;
  if (root === '' || typeof path !== 'string' || !path.startsWith(root)) return path;
  return root + path.slice(root.length).toLowerCase();
}

/** The disk's functions as on such a volume: any case of a name leads to one file, which is kept in lower case. */
export function onCaselessDisk(disk: typeof Disk): typeof Disk {
  const all = new Map<string, unknown>(Object.entries(disk));
  const call = (name: string): Call => {
    const found = all.get(name);
    if (typeof found !== 'function') throw new Error(`the disk has no ${name}`);
    return (...args) => Reflect.apply(found, disk, args);
  };
  const one = onePath.map((name): [string, Call] => [
    name,
    (path, ...rest) => call(name)(folded(path), ...rest),
  ]);
  const two = twoPaths.map((name): [string, Call] => [
    name,
    (from, to, ...rest) => call(name)(folded(from), folded(to), ...rest),
  ]);
  const link: [string, Call] = ['symlink', (target, path) => call('symlink')(target, folded(path))];
  return { ...disk, ...Object.fromEntries([...one, ...two, link]) };
}
