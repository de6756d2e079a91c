import type { CreateScheduleParameters, Schedule } from '@steward/client';
import { type Kind, sentAs, wrongNumber } from '../../parts/typed.ts';
import { scheduleWords as says } from '../../words.ts';

export type Action = Schedule['action'];
export type ParameterName = keyof typeof says.parameters;

const flag: Kind = { is: 'flag' };
const text: Kind = { is: 'text' };

/** How what an action is told is typed in. */
export const parameterKinds: Readonly<Record<ParameterName, Kind>> = {
  fps: { is: 'number', min: 0, max: 2_147_483_647 },
  fresh: flag,
  note: text,
  keep: flag,
  all: flag,
  when: { is: 'choice', of: ['now', 'empty', 'day-end'] },
  restart: flag,
  minutes: { is: 'number', min: 0, max: 1_440 },
  seconds: { is: 'number', min: 0, max: 3_600 },
  message: text,
};

/** What each action is told. */
export const parametersOf: Readonly<Record<Action, readonly ParameterName[]>> = {
  save: [],
  backup: ['note', 'fresh', 'keep', 'all'],
  announce: ['message'],
  drain: ['when', 'restart', 'minutes', 'seconds', 'message'],
  update: ['when', 'minutes', 'seconds', 'message'],
  rendering: ['fps'],
};

export const emptyKind = { is: 'number', min: 1, max: 10_080 } as const;

/** What stands in the form, each as text. */
export interface Draft extends Readonly<Partial<Record<ParameterName, string>>> {
  readonly name: string;
  readonly action: Action;
  /** A cron text that is offered; `own`, or `empty`. */
  readonly at: string;
  readonly cron: string;
  readonly zone: string;
  readonly emptyMinutes: string;
  readonly missed: string;
}

export function freshDraft(): Draft {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const when = { at: '0 5 * * *', cron: '', zone, emptyMinutes: '10', missed: 'false' };
  return { name: '', action: 'save', ...when, fps: '0', when: 'day-end', restart: 'true' };
}

/** What is wrong with it, by what it is wrong of. */
export function wrongOf(draft: Draft): Readonly<Partial<Record<keyof Draft, string>>> {
  const { name, action, at, cron, emptyMinutes } = draft;
  const wrong: Partial<Record<keyof Draft, string>> = {};
  if (name.trim() === '') wrong.name = says.noName;
  if (at === 'own' && cron.trim().split(/\s+/).length !== 5) wrong.cron = says.noCron;
  const notSo = at === 'empty' ? wrongNumber(emptyKind, emptyMinutes) : undefined;
  if (notSo !== undefined) wrong.emptyMinutes = notSo;
  for (const each of parametersOf[action]) {
    const kind = parameterKinds[each];
    const typed = draft[each]?.trim() ?? '';
    const mayBeEmpty = action !== 'announce' && action !== 'rendering';
    if (typed === '' && mayBeEmpty) continue;
    const error = kind.is === 'number' ? wrongNumber(kind, typed) : typed === '' ? says.noMessage : undefined;
    if (error !== undefined) wrong[each] = error;
  }
  return wrong;
}

/** What is to be asked of the server: what was left empty is as the server has it. */
export function askedOf(draft: Draft): CreateScheduleParameters {
  const { name, action, at, cron, zone, emptyMinutes, missed } = draft;
  const told = parametersOf[action].flatMap((each) => {
    const typed = draft[each] ?? '';
    return typed.trim() === '' || typed === 'false' ? [] : [[each, sentAs(parameterKinds[each], typed)]];
  });
  const what = { name: name.trim(), action, ...(Object.fromEntries(told) as object) };
  if (at === 'empty') return { ...what, emptyMinutes: Number(emptyMinutes) };
  return {
    ...what,
    cron: at === 'own' ? cron.trim() : at,
    ...(zone.trim() === '' ? {} : { timeZone: zone.trim() }),
    missed: missed === 'true' ? 'once' : 'skip',
  };
}
