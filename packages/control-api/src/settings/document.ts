import { type GameSettings, gameSettings } from '@steward/shared/bridge/settings';
import { accepted, type Parsed } from '@steward/shared/parsed';
import type { Node } from 'jsonc-parser';
import type { Field, WrittenValue } from './field.ts';
import { fieldsOf, type SectionKey, sectionKeys } from './fields.ts';
import { memberOf, parseDocument } from './jsonc-document.ts';
import { upgradedDocument } from './settings-versions.ts';
import { shown } from './shown.ts';

export interface ReadSettings {
  readonly settings: GameSettings;
  /** What was passed over, a line each. */
  readonly warnings: readonly string[];
}

/** Reads a settings file: JSON in which comments and trailing commas are welcome. A bad value costs only itself. */
export function readSettings(file: string): Parsed<ReadSettings> {
  const current = upgradedDocument(file);
  if (!current.ok) return current;
  const { text, warning } = current.value;
  const root = parseDocument(text);
  if (!root.ok) return root;
  const warnings = warning === undefined ? [] : [warning];
  const read = { game: {}, server: {} };
  for (const section of ['game', 'server'] as const)
    read[section] = readSection(section, root.value, text, warnings);
  return accepted({ settings: gameSettings.parse(read), warnings });
}

function readSection(
  section: SectionKey,
  root: Node,
  file: string,
  warnings: string[],
): Record<string, unknown> {
  const sectionKey = sectionKeys[section];
  const object = memberOf(root, sectionKey);
  if (object !== undefined && object.type !== 'object')
    warnings.push(`${sectionKey} is no object: the defaults are used for all of it`);
  const values = fieldsOf(section).map(([name, field]) => {
    const node =
      object?.type === 'object' ? memberOf(object, field.key, ...(field.alsoKnownAs ?? [])) : undefined;
    return [
      name,
      node === undefined ? field.fallback : readField(sectionKey, field, written(node, file), warnings),
    ];
  });
  return Object.fromEntries(values);
}

function readField(section: string, field: Field<unknown>, value: WrittenValue, warnings: string[]): unknown {
  const read = field.read(value);
  if (read.ok) return read.value;
  const used = field.instead?.(value) ?? field.fallback;
  warnings.push(
    `${section}.${field.key} is ${shown(value.text)}: it must be ${field.allowed}; ${JSON.stringify(used) ?? 'null'} is used`,
  );
  return used;
}

function written(node: Node, file: string): WrittenValue {
  return {
    type: node.type,
    value: node.value,
    text: file.slice(node.offset, node.offset + node.length),
    items: node.type === 'array' ? (node.children ?? []).map((item) => written(item, file)) : [],
  };
}
