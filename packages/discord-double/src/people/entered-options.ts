import {
  type APIApplicationCommand,
  type APIRole,
  ApplicationCommandOptionType,
} from 'discord-api-types/v10';
import type { Member } from '../world/guild.ts';

type Option = NonNullable<APIApplicationCommand['options']>[number];

/** What somebody enters; members and roles by themselves. */
export type Entered = string | number | boolean | Member | APIRole;

/** By the names of the options. */
export type EnteredOptions = Readonly<Record<string, Entered>>;

/** What an option asks for besides its type. */
interface Bounds {
  readonly min_length?: number;
  readonly max_length?: number;
  readonly min_value?: number;
  readonly max_value?: number;
  readonly choices?: readonly { readonly value: unknown }[];
}

const longestText = 6_000;

/** By the type of an option, whether a client would let somebody enter this. */
const fits: Partial<Record<ApplicationCommandOptionType, (entered: Entered, bounds: Bounds) => boolean>> = {
  [ApplicationCommandOptionType.String]: (entered, { min_length = 0, max_length = longestText }) =>
    typeof entered === 'string' && entered.length >= min_length && entered.length <= max_length,
  // Ids of 64 bits do not fit: they are text.
  [ApplicationCommandOptionType.Integer]: (entered, bounds) =>
    Number.isSafeInteger(entered) && isWithin(entered, bounds),
  [ApplicationCommandOptionType.Number]: (entered, bounds) =>
    Number.isFinite(entered) && isWithin(entered, bounds),
  [ApplicationCommandOptionType.Boolean]: (entered) => typeof entered === 'boolean',
  [ApplicationCommandOptionType.User]: (entered) => isMember(entered),
  [ApplicationCommandOptionType.Role]: (entered) => isRole(entered),
  [ApplicationCommandOptionType.Mentionable]: (entered) => isMember(entered) || isRole(entered),
};

export function isMember(entered: Entered): entered is Member {
  return typeof entered === 'object' && 'user' in entered;
}

export function isRole(entered: Entered): entered is APIRole {
  return typeof entered === 'object' && 'permissions' in entered;
}

/** The options as an interaction tells them, nested as the command has them; throws what a client would say. */
export function optionsOf(
  declared: readonly Option[],
  [next, ...path]: readonly string[],
  entered: EnteredOptions,
): object[] {
  if (next !== undefined) {
    const nest = declared.find(({ name }) => name === next);
    if (nest === undefined || !('options' in nest)) throw new Error(`there is no subcommand ${next}`);
    return [{ name: next, type: nest.type, options: optionsOf(nest.options ?? [], path, entered) }];
  }
  for (const name of Object.keys(entered))
    if (!declared.some((option) => option.name === name)) throw new Error(`there is no option ${name}`);
  return declared.flatMap((option) => {
    const value = entered[option.name];
    if (value === undefined && option.required === true) throw new Error(`${option.name} is required`);
    if (value === undefined) return [];
    if (!isAllowed(option, value)) throw new Error(`${option.name} cannot be ${JSON.stringify(value)}`);
    return [{ name: option.name, type: option.type, value: told(value) }];
  });
}

function isAllowed(option: Option, entered: Entered): boolean {
  const bounds = option as Bounds;
  const { choices = [] } = bounds;
  const isChoice = choices.length === 0 || choices.some(({ value }) => value === entered);
  return isChoice && fits[option.type]?.(entered, bounds) === true;
}

function isWithin(entered: Entered, { min_value: least, max_value: most }: Bounds): boolean {
  const value = Number(entered);
  return value >= (least ?? value) && value <= (most ?? value);
}

function told(entered: Entered): string | number | boolean {
  if (isMember(entered)) return entered.user.id;
  return isRole(entered) ? entered.id : entered;
}
