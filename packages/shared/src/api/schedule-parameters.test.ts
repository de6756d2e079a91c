import { expect, it } from 'vitest';
import type { Parameter } from './endpoint.ts';
import { scheduleEndpoints } from './endpoints/schedules.ts';
import { keyLimits, newKeyName } from './key-parameters.ts';
import { scheduleActions, scheduleLimits, scheduleName, timeZone } from './schedule-parameters.ts';

it.each([
  ['Europe/Berlin', 'Europe/Berlin'],
  ['utc', 'UTC'],
  ['australia/lord_howe', 'Australia/Lord_Howe'],
])('%s is a time zone', (text, value) => {
  expect(timeZone.parse(text)).toEqual({ ok: true, value });
});

it.each([
  ['', 'is not such a name'],
  ['+02:00', 'is not such a name'],
  ['Europe/Berlin ', 'is not such a name'],
  ['../etc/passwd', 'is not such a name'],
  ['Europe/Atlantis', 'is not a time zone that this machine knows'],
])('%j is none', (text, reason) => {
  expect(timeZone.parse(text)).toEqual({ ok: false, reason });
});

it('a name leaves room in the record for what it is the name of, and no key can pass for a schedule', () => {
  const longest = 'n'.repeat(scheduleLimits.nameCharacters);
  expect(scheduleName.parse(longest).ok).toBe(true);
  expect(`schedule ${longest}`.length).toBeLessThanOrEqual(keyLimits.nameCharacters);
  expect(scheduleName.parse(`${longest}n`)).toEqual({ ok: false, reason: 'is too long' });
  expect(scheduleName.parse(' nightly')).toEqual({ ok: false, reason: 'starts or ends with a space' });
  expect(scheduleName.parse('night\nly').ok).toBe(false);
  expect(newKeyName.parse('Schedule nightly')).toEqual({ ok: false, reason: 'is a reserved name' });
});

it('each parameter of an action can be given with the schedule, by the same kind or by one that takes more', () => {
  const query: Readonly<Record<string, Parameter>> = scheduleEndpoints.createSchedule.query;
  for (const { parameters } of Object.values(scheduleActions))
    for (const [name, { kind, scope }] of Object.entries<Parameter>(parameters)) {
      expect(query[name], name).toMatchObject(name === 'message' ? {} : { kind, isRequired: false });
      expect(query[name]?.scope, name).toBe(scope);
    }
  // Two actions have it: what either takes is taken, and the action itself decides.
  expect(query['message']).toMatchObject({ kind: scheduleActions.announce.parameters.message.kind });
});
