import { newerRemedy, newerThan } from '@steward/service-kit/files/json-format';
import { type GameSettings, gameSettings } from '@steward/shared/bridge/settings';
import { accepted, type Parsed, refused } from '@steward/shared/parsed';
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

const currentVersion = 1;

/** At the top of the file. It is the operator's file, so it need not be there: without it the file is of version 1. */
const versionKey = 'version';

export interface ReadSettings {
  readonly settings: GameSettings;
  /** What was passed over, a line each. */
  readonly warnings: readonly string[];
}

/** Reads a settings file: JSON in which comments and trailing commas are welcome. A bad value costs only itself. */
export function readSettings(file: string): Parsed<ReadSettings> {
  const root = parseDocument(file);
  if (!root.ok) return root;
  const version = readVersion(root.value, file);
  if (!version.ok) return version;
  const warnings = [...version.value];
  const read = { game: {}, server: {} };
  for (const section of ['game', 'server'] as const)
    read[section] = readSection(section, root.value, file, warnings);
  return accepted({ settings: gameSettings.parse(read), warnings });
}

/** Refused for a file of a newer version. A version that is no version costs only itself, like any other bad value. */
function readVersion(root: Node, file: string): Parsed<readonly string[]> {
  const node = memberOf(root, versionKey);
  const newer = newerThan(currentVersion, node?.value);
  if (newer !== undefined) return refused(`it ${newer.reason}. ${newerRemedy}`);
  if (node?.value === undefined || node.value === currentVersion) return accepted([]);
  const text = shownText(file.slice(node.offset, node.offset + node.length));
  return accepted([
    `${versionKey} is ${text}: it must be a whole number from 1 to ${currentVersion}; ${currentVersion} is used`,
  ]);
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
    warnings.push(`${sectionKey} is not an object: all its defaults are used`);
  const values = rowsOf(section).map(([name, row]) => {
    const names = [row.key, ...(row.alsoKnownAs ?? [])];
    const node = object?.type === 'object' ? memberOf(object, ...names) : undefined;
    const given = names.filter((each) => memberOf(object, each) !== undefined);
    if (given.length > 1)
      warnings.push(
        `${sectionKey} has ${given.join(' and ')}, which are the same: the one that comes last is used, so keep one`,
      );
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
    [versionKey]: currentVersion,
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
