import type { GameSettings } from '@steward/shared/bridge/settings';
import { rowsOf, sectionKeys, settingsTable } from '@steward/shared/settings/settings-table';
import type { Node } from 'jsonc-parser';
import { memberOf, parseDocument } from './jsonc-document.ts';
import { settingsVersions, versionKey } from './settings-versions.ts';

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
