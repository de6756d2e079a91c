import { accepted, refused } from '@steward/shared/parsed';
import type { Field } from './field.ts';
import { nameAllowed, parseName } from './names.ts';

/** The built-in farms, by their index. */
const builtIn = [
  'Standard',
  'Riverland',
  'Forest',
  'Hilltop',
  'Wilderness',
  'Four Corners',
  'Beach',
  'Meadowlands',
];

/** An index, the name of a built-in farm in any case and spacing, or the id of a farm that a mod brings. */
export const farmType: Field<number | string> = {
  key: 'FarmType',
  fallback: 0,
  allowed: `an index from 0 to ${builtIn.length - 1}, one of ${builtIn.join(', ')}, or the id of a mod's farm, ${nameAllowed}`,
  read({ type, value }) {
    if (type !== 'number' && type !== 'string') return refused('is neither a number nor text');
    const text = String(value).trim();
    if (text === '') return refused('is empty');
    const index = /^-?\d/.test(text)
      ? Number(text)
      : builtIn.findIndex((name) => plain(name) === plain(text));
    if (Number.isInteger(index) && index >= 0 && index < builtIn.length) return accepted(index);
    if (type === 'number' || /^-?\d+$/.test(text)) return refused('is no index of a farm');
    return parseName(text);
  },
};

function plain(name: string): string {
  return name.replaceAll(' ', '').toLowerCase();
}
