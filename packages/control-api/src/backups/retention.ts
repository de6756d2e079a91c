import type { Kind } from '@steward/shared/kinds';
import { accepted, refused } from '@steward/shared/parsed';

const units = { h: 'hours', d: 'days', w: 'weeks', m: 'months', y: 'years' } as const;

type Unit = keyof typeof units;

/** Of how many hours, days, weeks, months and years the newest backup stays; undefined where all of them do. */
export type KeepRule = Readonly<Partial<Record<Unit, number>>> | undefined;

const grammar = /^([1-9][0-9]{0,3}[hdwmy])+$/;

export const keepRule: Kind<KeepRule> = {
  allowed: `numbers with ${Object.entries(units)
    .map(([unit, name]) => `${unit} (${name})`)
    .join(', ')}, each once, such as 7d4w6m; set but empty: nothing is ever taken away`,
  json: { type: 'string' },
  parse(text) {
    if (text === '') return accepted(undefined);
    if (!grammar.test(text)) return refused('is no such rule');
    const parts = [...text.matchAll(/([0-9]+)([hdwmy])/g)].map(([, count, unit]) => [unit, Number(count)]);
    const rule = Object.fromEntries(parts);
    return Object.keys(rule).length === parts.length ? accepted(rule) : refused('names a unit twice');
  },
};
