import { type GameSettings, gameSettings } from '@steward/shared/bridge/settings';
import { accepted, type Parsed, refused } from '@steward/shared/parsed';
import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { Field, WrittenValue } from './field.ts';
import { fieldsOf, type SectionKey, sectionKeys } from './fields.ts';

export interface ReadSettings {
  readonly settings: GameSettings;
  /** What was passed over, a line each. */
  readonly warnings: readonly string[];
}

const byteOrderMark = '\uFEFF';

/** The settings have three; the reader is recursive, and would come to the end of its stack in some thousands. */
const mostLevels = 100;

/** Reads a settings file: JSON in which comments and trailing commas are welcome. A bad value costs only itself. */
export function readSettings(file: string): Parsed<ReadSettings> {
  const root = parseDocument(file);
  if (!root.ok) return root;
  const warnings: string[] = [];
  const read = { game: {}, server: {} };
  for (const section of ['game', 'server'] as const)
    read[section] = readSection(section, root.value, file, warnings);
  return accepted({ settings: gameSettings.parse(read), warnings });
}

/** The tree of a document that is sound as a whole, or what is wrong with it and where. */
export function parseDocument(file: string): Parsed<Node> {
  const errors: ParseError[] = [];
  const source = file.startsWith(byteOrderMark) ? ` ${file.slice(1)}` : file;
  if (isTooDeep(source)) return refused(`it is nested more than ${mostLevels} levels deep`);
  const root = parseTree(source, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined)
    return refused(`${printParseErrorCode(error.error)} ${place(source, error.offset)}`);
  return root?.type === 'object' ? accepted(root) : refused('it is no JSON object');
}

function isTooDeep(source: string): boolean {
  const scanner = createScanner(source, true);
  let level = 0;
  while (scanner.getPosition() < source.length && level <= mostLevels) {
    scanner.scan();
    const first = source.charAt(scanner.getTokenOffset());
    if (first === '{' || first === '[') level += 1;
    if (first === '}' || first === ']') level -= 1;
  }
  return level > mostLevels;
}

/** The value of a key, in any case. Of several the last one counts, as everywhere in JSON. */
export function memberOf(object: Node | undefined, ...keys: readonly string[]): Node | undefined {
  const wanted = keys.map((key) => key.toLowerCase());
  const member = object?.children?.findLast(({ children: [key] = [] }) =>
    wanted.includes(String(key?.value).toLowerCase()),
  );
  return member?.children?.[1];
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

const shownLength = 60;

function shown(text: string): string {
  return text.length > shownLength ? `${text.slice(0, shownLength)}…` : text;
}

function place(text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n');
  return `in line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}
