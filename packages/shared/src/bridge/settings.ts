import { z } from 'zod';
import { identity } from '../identities.ts';
import type { WireForm } from '../settings/setting-kinds.ts';
import { type Setting, type SettingRows, settingsTable } from '../settings/settings-table.ts';
import { uint64Text } from '../wire-values.ts';

type SchemasOf<Rows extends SettingRows> = {
  readonly [Name in keyof Rows]: Rows[Name] extends Setting<infer T>
    ? undefined extends T
      ? z.ZodOptional<z.ZodType<Exclude<T, undefined>, Exclude<T, undefined>>>
      : z.ZodType<T, T>
    : never;
};

/** What a new farm is made from. */
export const farmCreationSettings = schemaOf(settingsTable.game, reported);

/** What applies at every start and whenever it changes. A game may have more in effect than anybody can ask for. */
export const serverSettings = schemaOf(settingsTable.server, reported);

/** What a game is told. */
export const gameSettings = z.object({
  game: schemaOf(settingsTable.game, told),
  server: schemaOf(settingsTable.server, told),
});

export type GameSettings = z.infer<typeof gameSettings>;

/** What applies where the operator has said nothing else. */
export const defaultSettings: GameSettings = gameSettings.parse({
  game: defaultsOf(settingsTable.game),
  server: defaultsOf(settingsTable.server),
});

export const { cabinStrategy } = serverSettings.shape;

function schemaOf<Rows extends SettingRows>(rows: Rows, formOf: (wire: WireForm) => z.ZodType) {
  const shape = Object.entries(rows).map(([name, { kind, means, isIdentity }]) => {
    const schema = formOf(kind.wire).meta({ description: means });
    return [name, isIdentity === true ? identity(schema) : schema];
  });
  // A row's kind says what its schema gives; no type can follow the one to the other.
  return z.object(Object.fromEntries(shape) as SchemasOf<Rows>);
}

function defaultsOf(rows: SettingRows): Record<string, unknown> {
  return Object.fromEntries(Object.entries(rows).map(([name, { fallback }]) => [name, fallback]));
}

function told(wire: WireForm): z.ZodType {
  return wire.form === 'integer' ? z.int().min(wire.min).max(wire.max) : reported(wire);
}

function reported(wire: WireForm): z.ZodType {
  switch (wire.form) {
    case 'boolean':
      return z.boolean();
    case 'integer':
      return z.int().min(wire.min);
    case 'number':
      return z.number();
    case 'choice':
      return z.enum(wire.values);
    case 'text':
      return z.string();
    case 'texts':
      return z.array(z.string());
    case 'index or text':
      return z.union([z.int().min(0).max(wire.last), z.string()]);
    case 'uint64':
      return uint64Text.optional();
  }
}
