import { type Setting, type SettingRows, settingsTable } from '@steward/shared/settings/settings-table';
import { z } from 'zod';
import type { ServerChanges } from '../../settings/edit.ts';
import { parameter, parameterExample } from '../parameters/parameter.ts';

/** The server section, as the query of `POST /settings`; what is not named stays as it is. */
export const settingsParameters = z.object(parametersOf(settingsTable.server));

/** What of it was given. */
export function changesOf(given: z.infer<typeof settingsParameters>): ServerChanges {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function parametersOf<Rows extends SettingRows>(rows: Rows) {
  const parameters = Object.entries(rows).map(([name, row]) => [name, parameterOf(row).optional()]);
  // A row's kind says what its parameter gives; no type can follow the one to the other.
  return Object.fromEntries(parameters) as {
    readonly [Name in keyof Rows]: z.ZodOptional<
      z.ZodType<Rows[Name] extends Setting<infer T> ? T : never, string>
    >;
  };
}

function parameterOf({ kind, meaning, example }: Setting<unknown>) {
  const text = Array.isArray(example) ? example.join(',') : example;
  return parameter({
    ...kind,
    meaning: kind.note === undefined ? meaning : `${meaning}. ${kind.note}`,
    mayBeEmpty: kind.parse('').ok,
    json: text === undefined ? kind.json : { ...kind.json, [parameterExample]: text },
  });
}
