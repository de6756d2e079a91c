import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  type RESTPutAPIApplicationGuildCommandsJSONBody,
} from 'discord-api-types/v10';
import type { Command, Option } from './table.ts';

/** A command as Discord is told of it. */
type Declared = RESTPutAPIApplicationGuildCommandsJSONBody[number];

const types = {
  text: ApplicationCommandOptionType.String,
  number: ApplicationCommandOptionType.Integer,
  yes: ApplicationCommandOptionType.Boolean,
} as const;

/** Without a role for operators, administrators alone are shown what only they may use. */
export function declared({ name, means, options = [], isDeed }: Command, hasOperators: boolean): Declared {
  return {
    name,
    description: means,
    type: ApplicationCommandType.ChatInput,
    options: options.map(declaredOption),
    ...(isDeed({}) && !hasOperators ? { default_member_permissions: '0' } : {}),
  };
}

function declaredOption({ name, type, means, isRequired = false, choices }: Option) {
  const option = { name, type: types[type], description: means, required: isRequired };
  if (choices === undefined) return option as { type: ApplicationCommandOptionType.Boolean } & typeof option;
  return { ...option, choices: choices.map((value) => ({ name: value, value })) } as never;
}

/** Of what Discord has, only what was said counts: it adds ids, versions and whatever is as usual. */
export function isSame(wanted: readonly Declared[], there: readonly object[]): boolean {
  return (
    wanted.length === there.length &&
    JSON.stringify(wanted.map(plain).sort()) === JSON.stringify(there.map(plain).sort())
  );
}

function plain(command: object): string {
  const { name, description, options, default_member_permissions: permissions } = command as Plain;
  const rows = (options ?? []).map((option) => [
    option.name,
    option.type,
    option.description,
    option.required === true,
    option.choices ?? [],
  ]);
  return JSON.stringify([name, description, permissions ?? null, rows]);
}

interface Plain {
  readonly name: string;
  readonly description: string;
  readonly default_member_permissions?: string | null;
  readonly options?: readonly {
    readonly name: string;
    readonly type: number;
    readonly description: string;
    readonly required?: boolean;
    readonly choices?: readonly object[];
  }[];
}
