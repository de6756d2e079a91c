import { type GameSettings, gameSettings } from '@steward/shared/bridge/settings';
import { accepted, type Parsed } from '@steward/shared/parsed';
import type { WrittenValue } from '@steward/shared/settings/setting-kinds';
import {
  rowsOf,
  type SectionName,
  type Setting,
  sectionKeys,
  settingsTable,
} from '@steward/shared/settings/settings-table';
import type { Node } from 'jsonc-parser';
import { memberOf, parseDocument, shownText } from './jsonc-document.ts';
import { settingsVersions, upgradedDocument, versionKey } from './settings-versions.ts';

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
  section: SectionName,
  root: Node,
  file: string,
  warnings: string[],
): Record<string, unknown> {
  const sectionKey = sectionKeys[section];
  const object = memberOf(root, sectionKey);
  if (object !== undefined && object.type !== 'object')
    warnings.push(`${sectionKey} is no object: the defaults are used for all of it`);
  const values = rowsOf(section).map(([name, row]) => {
    const node =
      object?.type === 'object' ? memberOf(object, row.key, ...(row.alsoKnownAs ?? [])) : undefined;
    return [
      name,
      node === undefined ? row.fallback : readValue(sectionKey, row, written(node, file), warnings),
    ];
  });
  return Object.fromEntries(values);
}

function readValue(
  section: string,
  { key, kind, fallback }: Setting<unknown>,
  value: WrittenValue,
  warnings: string[],
): unknown {
  const taken = kind.take(value);
  if (taken.ok) return taken.value;
  const used = kind.instead?.(value) ?? fallback;
  warnings.push(
    `${section}.${key} is ${shownText(value.text)}: it must be ${kind.allowed}; ${JSON.stringify(used) ?? 'null'} is used`,
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

export type ServerChanges = Partial<GameSettings['server']>;

/** The file that stands for the defaults. */
export function defaultDocument(): string {
  const section = (name: 'game' | 'server') =>
    Object.fromEntries(rowsOf(name).map(([, { key, fallback }]) => [key, fallback ?? null]));
  const document = {
    [versionKey]: settingsVersions.current,
    [sectionKeys.game]: section('game'),
    [sectionKeys.server]: section('server'),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** The same document with other values in its server section; every other byte of it stays as it is. */
export function editServer(file: string, changes: ServerChanges): string {
  return Object.entries(changes).reduce(
    (text, [name, value]) => setValue(text, settingsTable.server[name as keyof ServerChanges], value),
    file,
  );
}

function setValue(
  file: string,
  { key, alsoKnownAs = [] }: { key: string; alsoKnownAs?: readonly string[] },
  value: unknown,
): string {
  const root = parseDocument(file);
  if (!root.ok) throw new Error(`a document that cannot be read cannot be edited: ${root.reason}`);
  const written = JSON.stringify(value);
  const section = memberOf(root.value, sectionKeys.server);
  if (section?.type !== 'object')
    return setMember(file, root.value, sectionKeys.server, section, `{ ${JSON.stringify(key)}: ${written} }`);
  return setMember(file, section, key, memberOf(section, key, ...alsoKnownAs), written);
}

/** Replaces the value where there is one; otherwise puts the member first, spaced as the one that was first. */
function setMember(
  file: string,
  object: Node,
  key: string,
  present: Node | undefined,
  value: string,
): string {
  if (present !== undefined)
    return `${file.slice(0, present.offset)}${value}${file.slice(present.offset + present.length)}`;
  const [first] = object.children ?? [];
  const at = first?.offset ?? object.offset + 1;
  const before = file.slice(0, at);
  const space = before.slice(before.trimEnd().length);
  const member = `${JSON.stringify(key)}: ${value}${first === undefined ? '' : `,${space || ' '}`}`;
  return `${before}${member}${file.slice(at)}`;
}
