import { type Setting, type SettingRows, settingsTable } from '../../settings/settings-table.ts';
import { type Endpoints, optional, type Parameter } from '../endpoint.ts';

/** What is not named stays as it is. */
const serverSection = parametersOf(settingsTable.server);

export const settingsEndpoints = {
  getSettings: {
    on: 'GET /settings',
    group: 'Settings',
    scope: 'read',
    summary: 'The effective settings, and which are not in effect yet',
    prepared: true,
  },
  changeSettings: {
    on: 'POST /settings',
    group: 'Settings',
    scope: 'operate',
    summary: "Change values of the settings file's server section",
    description:
      'Only the named settings change; comments, unknown keys and everything else in the file stay as they are, and the previous file is kept beside it. It works without a game, too; the game gets the settings when it connects.',
    query: serverSection,
    game: 'applySettings',
    problems: ['settings-unreadable', 'settings-unwritable'],
    audit: 'settings changed',
    notedFirst: true,
  },
} as const satisfies Endpoints;

/** A setting each, none of them needed. */
export function parametersOf<Rows extends SettingRows>(rows: Rows) {
  const each = Object.entries(rows).map(([name, row]) => [name, parameterOf(row)]);
  // A row's kind says what its parameter gives; no type can follow the one to the other.
  return Object.fromEntries(each) as {
    readonly [Name in keyof Rows]: Parameter<Rows[Name] extends Setting<infer T> ? T : never, false>;
  };
}

function parameterOf({ kind, means, example, scope }: Setting<unknown>): Parameter<unknown, false> {
  return optional(kind, {
    means: kind.note === undefined ? means : `${means}. ${kind.note}`,
    ...(scope === undefined ? {} : { scope }),
    ...(example === undefined ? {} : { example: typeof example === 'number' ? example : String(example) }),
  });
}
