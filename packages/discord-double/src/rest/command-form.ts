import { ApplicationCommandOptionType } from 'discord-api-types/v10';
import { z } from 'zod';
import { listOf, objectTo, text } from '../rules/forms.ts';

const mostOptions = 25;
const mostChoices = 25;
const longestText = 100;
const longestAnswer = 6_000;
/** Names, descriptions and values of a command together. */
const mostCharacters = 8_000;

const { Subcommand, SubcommandGroup, String: Text, Integer, Number: Decimal } = ApplicationCommandOptionType;

/** Of commands and options. Letters that come in two sizes must be small. */
const commandName = text({ min: 1, max: 32 }).superRefine((name, context) => {
  if (!/^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]*$/u.test(name) || name !== name.toLowerCase())
    objectTo(context, 'APPLICATION_COMMAND_INVALID_NAME', `Command name is invalid: "${name}"`);
});

const description = text({ min: 1, max: longestText });

const choice = z.object({
  name: text({ min: 1, max: longestText }),
  value: text({ max: longestText }).or(z.number()),
});

const bounds = {
  min_value: z.number().optional(),
  max_value: z.number().optional(),
  min_length: z.int().min(0).max(longestAnswer).optional(),
  max_length: z.int().min(1).max(longestAnswer).optional(),
};

const plainOption = z.object({
  type: z.enum(ApplicationCommandOptionType),
  name: commandName,
  description,
  required: z.boolean().default(false),
  choices: listOf(choice, mostChoices).optional(),
  autocomplete: z.boolean().optional(),
  ...bounds,
});

type PlainOption = z.output<typeof plainOption>;

/** An option; a subcommand has options, and a group has subcommands. */
export interface CommandOption extends PlainOption {
  readonly options?: readonly CommandOption[] | undefined;
}

const option: z.ZodType<CommandOption> = plainOption
  .extend({
    get options() {
      return listOf(option, mostOptions).optional();
    },
  })
  .superRefine((value, context) => {
    checkChoices(value, context);
    checkOptions(value.options ?? [], context, ['options']);
    const isNest = value.type === Subcommand || value.type === SubcommandGroup;
    if (!isNest && value.options !== undefined)
      objectTo(context, 'APPLICATION_COMMAND_OPTIONS_TYPE_INVALID', 'Only subcommands have options', [
        'options',
      ]);
  });

const command = z
  .object({
    type: z.literal(1).default(1),
    name: commandName,
    description,
    options: listOf(option, mostOptions).default([]),
    default_member_permissions: z.string().regex(/^\d+$/).nullish(),
    nsfw: z.boolean().default(false),
    contexts: z.array(z.int()).nullish(),
    integration_types: z.array(z.int()).optional(),
    dm_permission: z.boolean().optional(),
    name_localizations: z.record(z.string(), z.string()).nullish(),
    description_localizations: z.record(z.string(), z.string()).nullish(),
  })
  .superRefine((value, context) => {
    checkOptions(value.options, context, ['options']);
    if (charactersOf(value) > mostCharacters)
      objectTo(context, 'APPLICATION_COMMAND_TOO_LARGE', 'Command exceeds maximum size (8000)');
  });

/** All commands of a guild, at once. */
export const commandsForm = z.array(command).superRefine((commands, context) => {
  for (const [index, { name }] of commands.entries())
    if (commands.findIndex((one) => one.name === name) !== index)
      objectTo(context, 'APPLICATION_COMMANDS_DUPLICATE_NAME', 'Application command names must be unique', [
        index,
      ]);
});

export type CommandForm = z.output<typeof command>;

function checkChoices({ type, choices, autocomplete }: PlainOption, context: z.RefinementCtx): void {
  if (choices === undefined) return;
  if (autocomplete === true || ![Text, Integer, Decimal].some((one) => one === type))
    objectTo(context, 'APPLICATION_COMMAND_OPTION_CHOICES_INVALID', 'Choices are not allowed here', [
      'choices',
    ]);
  for (const [index, { value }] of choices.entries())
    if (!fitsType(type, value))
      objectTo(context, 'APPLICATION_COMMAND_OPTION_VALUE_INVALID', 'The value has another type', [
        'choices',
        index,
        'value',
      ]);
}

function fitsType(type: ApplicationCommandOptionType, value: unknown): boolean {
  if (type === Integer) return Number.isSafeInteger(value);
  if (type === Decimal) return Number.isFinite(value);
  if (type === ApplicationCommandOptionType.Boolean) return typeof value === 'boolean';
  return typeof value === 'string';
}

function checkOptions(
  options: readonly CommandOption[],
  context: z.RefinementCtx,
  path: readonly (string | number)[],
): void {
  const nests = options.filter(({ type }) => type === Subcommand || type === SubcommandGroup);
  if (nests.length > 0 && nests.length < options.length)
    objectTo(
      context,
      'APPLICATION_COMMAND_OPTIONS_TYPE_INVALID',
      'Sub-command and sub-command group option types are mutually exclusive to all other types',
      path,
    );
  for (const [index, { name, required }] of options.entries()) {
    const earlier = options.slice(0, index);
    if (required && earlier.some((one) => !one.required))
      objectTo(
        context,
        'APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID',
        'Required options must be placed before non-required options',
        [...path, index],
      );
    if (earlier.some((one) => one.name === name))
      objectTo(context, 'APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS', 'Option name already exists', [
        ...path,
        index,
      ]);
  }
}

interface Described {
  readonly name: string;
  readonly description: string;
  readonly options?: readonly CommandOption[] | undefined;
  readonly choices?: PlainOption['choices'];
}

function charactersOf({ name, description: words, options = [], choices = [] }: Described): number {
  const ofChoices = choices.reduce((sum, one) => sum + one.name.length + String(one.value).length, 0);
  return options.reduce((sum, one) => sum + charactersOf(one), name.length + words.length + ofChoices);
}
