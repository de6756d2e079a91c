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
