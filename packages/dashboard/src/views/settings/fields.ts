import type { ChangeSettingsParameters, Settings } from '@steward/client';
import { type Kind, sentAs, wrongNumber } from '../../parts/typed.ts';
import { settingWords } from '../../words.ts';

export type FieldName = keyof ChangeSettingsParameters;
type Values = Settings['server'];

export interface SettingField {
  readonly name: FieldName;
  readonly kind: Kind;
  /** It takes the scope `admin`. */
  readonly isForAdmins?: true;
}

/** What `POST /settings` takes, in the order of the form. */
export const settingFields: readonly SettingField[] = [
  { name: 'maxPlayers', kind: { is: 'number', min: 1, max: 100 } },
  { name: 'allowIpConnections', kind: { is: 'flag' }, isForAdmins: true },
  { name: 'enforceFarmhandOwnership', kind: { is: 'flag' }, isForAdmins: true },
  { name: 'adminPlatformIds', kind: { is: 'ids' }, isForAdmins: true },
  { name: 'separateWallets', kind: { is: 'flag' } },
  { name: 'cabinStrategy', kind: { is: 'choice', of: ['CabinStack', 'FarmhouseStack', 'None'] } },
  { name: 'existingCabinBehavior', kind: { is: 'choice', of: ['KeepExisting', 'MoveToStack'] } },
  { name: 'lobbyMode', kind: { is: 'choice', of: ['Shared', 'Individual'] } },
  { name: 'activeLobbyLayout', kind: { is: 'text' } },
  { name: 'networkBroadcastPeriod', kind: { is: 'number', min: 1, max: 60 } },
  { name: 'verboseLogging', kind: { is: 'flag' } },
];

/** What stands in the form and is not saved yet. */
export type Draft = Readonly<Partial<Record<FieldName, string>>>;

/** A setting as the form has it. */
export function textOf(values: Values, name: FieldName): string {
  const value = values[name];
  return Array.isArray(value) ? value.join(', ') : String(value ?? '');
}

/** What is wrong with what was typed; undefined where nothing is. */
export function wrongWith({ kind }: SettingField, text: string): string | undefined {
  if (kind.is === 'number') return wrongNumber(kind, text);
  if (kind.is === 'ids') return /^[\d,\s]*$/.test(text) ? undefined : settingWords.wrongIds;
  return kind.is === 'text' && !/^[\w-]{1,32}$/.test(text.trim()) ? settingWords.wrongText : undefined;
}

/** What is to be asked of the server, where the form has something else than it. */
export function changesOf(values: Values, draft: Draft): ChangeSettingsParameters {
  const changed = settingFields.filter(({ name }) => isOther(values, draft, name));
  return Object.fromEntries(
    changed.map(({ name, kind }) => [name, settingAs(kind, draft[name] ?? '')]),
  ) as ChangeSettingsParameters;
}

export function isOther(values: Values, draft: Draft, name: FieldName): boolean {
  const text = draft[name];
  return text !== undefined && text.trim() !== textOf(values, name);
}

/** What is left of a draft once it was saved as it was before: what was typed in the meantime. */
export function typedSince(draft: Draft, saved: Draft): Draft {
  return Object.fromEntries(
    Object.entries(draft).filter(([name, text]) => text !== saved[name as FieldName]),
  );
}

function settingAs(kind: Kind, text: string): string | number | boolean {
  if (kind.is !== 'ids') return sentAs(kind, text);
  // An empty list is said by a word.
  return (
    text
      .split(/[\s,]+/)
      .filter(Boolean)
      .join(',') || 'none'
  );
}
