/** The type bytes of the platform's binary key-values: a subtree, a string, a 32-bit integer, the end of a subtree. */
const types = { tree: 0, text: 1, int32: 2, end: 8 } as const;

interface KeyValueTree {
  readonly [key: string]: string | number | KeyValueTree;
}

/** A named root and its end, then the end of the document. Source: docs/platform-emulator.md, wire: lobby metadata. */
export function encodeKeyValues(root: KeyValueTree, name = ''): Buffer {
  return Buffer.concat([key(types.tree, name), entries(root), Buffer.from([types.end, types.end])]);
}

function entries(node: KeyValueTree): Buffer {
  return Buffer.concat(
    Object.entries(node).map(([name, value]) => {
      if (typeof value === 'string') return Buffer.concat([key(types.text, name), Buffer.from(`${value}\0`)]);
      if (typeof value === 'object') {
        return Buffer.concat([key(types.tree, name), entries(value), Buffer.from([types.end])]);
      }
      const number = Buffer.alloc(4);
      number.writeInt32LE(value);
      return Buffer.concat([key(types.int32, name), number]);
    }),
  );
}

function key(type: number, name: string): Buffer {
  return Buffer.concat([Buffer.from([type]), Buffer.from(`${name}\0`)]);
}

/** The strings of a flat document such as a lobby's metadata; an empty or unreadable one holds none. */
export function decodeStrings(bytes: Uint8Array): ReadonlyMap<string, string> {
  const strings = new Map<string, string>();
  const source = Buffer.from(bytes);
  let at = 0;
  const word = (): string => {
    const stop = source.indexOf(0, at);
    const value = source.toString('utf8', at, stop < 0 ? source.length : stop);
    at = stop < 0 ? source.length : stop + 1;
    return value;
  };
  if (source[at] === types.tree) {
    at += 1;
    word();
  }
  while (source[at] === types.text) {
    at += 1;
    const name = word();
    strings.set(name, word());
  }
  return strings;
}

/** The platform's text format for nested keys and values; everything in it is a string. */
export interface VdfTree {
  readonly [key: string]: string | number | VdfTree | undefined;
}

/** Keys without a value are left out. */
export function encodeVdf(tree: VdfTree, indent = ''): string {
  return Object.entries(tree)
    .map(([key, value]) => {
      if (value === undefined) return '';
      if (typeof value !== 'object') return `${indent}${quoted(key)}\t\t${quoted(String(value))}\n`;
      return `${indent}${quoted(key)}\n${indent}{\n${encodeVdf(value, `${indent}\t`)}${indent}}\n`;
    })
    .join('');
}

/** A list as this format writes one: an object whose keys are 0, 1, 2 … */
export function vdfList<Item extends VdfTree | string | number>(items: readonly Item[]): VdfTree {
  return Object.fromEntries(items.map((item, index) => [String(index), item]));
}

function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
