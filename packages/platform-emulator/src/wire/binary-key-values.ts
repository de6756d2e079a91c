/** The type bytes of the platform's binary key-values: a subtree, a string, a 32-bit integer, the end of a subtree. */
const tree = 0;
const text = 1;
const int32 = 2;
const end = 8;

export interface KeyValueTree {
  readonly [key: string]: string | number | KeyValueTree;
}

/** A named root and its end, then the end of the document. Source: docs/platform-emulator.md, wire: lobby metadata. */
export function encodeKeyValues(root: KeyValueTree, name = ''): Buffer {
  return Buffer.concat([key(tree, name), entries(root), Buffer.from([end, end])]);
}

function entries(node: KeyValueTree): Buffer {
  return Buffer.concat(
    Object.entries(node).map(([name, value]) => {
      if (typeof value === 'string') return Buffer.concat([key(text, name), Buffer.from(`${value}\0`)]);
      if (typeof value === 'object') {
        return Buffer.concat([key(tree, name), entries(value), Buffer.from([end])]);
      }
      const number = Buffer.alloc(4);
      number.writeInt32LE(value);
      return Buffer.concat([key(int32, name), number]);
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
  if (source[at] === tree) {
    at += 1;
    word();
  }
  while (source[at] === text) {
    at += 1;
    const name = word();
    strings.set(name, word());
  }
  return strings;
}
