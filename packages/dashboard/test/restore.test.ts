import type { Event } from '@steward/client';
import { expect, it } from 'vitest';
import { setClock } from '../src/farm/clock.ts';
import { failureOf, restoreOf } from '../src/views/backups/restore.ts';
import { sizeOf } from '../src/views/backups/size.ts';

const at = '2026-11-22T10:00:00.000Z';
const now = Date.parse(at) + 1_000;
const told = (type: string, data: object): Event =>
  ({ type, at, cursor: 'a-1', data: { backupId: 'b', ...data } }) as unknown as Event;

const checking = told('backups.restoring', { step: 'checking' });
const swapping = told('backups.restoring', { step: 'swapping' });

it('shows a restore from its first step on, for a while after its end, and no longer', () => {
  expect(restoreOf([told('backups.made', {})], now)).toBeUndefined();
  expect(restoreOf([checking, swapping], now)).toEqual({ backupId: 'b', step: 'swapping' });
  const done = [swapping, told('backups.restored', {})];
  expect(restoreOf(done, now)).toMatchObject({ end: { isRestored: true } });
  expect(restoreOf(done, now + 3_600_000)).toBeUndefined();
  const failed = told('backups.restoreFailed', { reason: 'no room', remedy: 'make some' });
  expect(restoreOf([checking, failed], now)).toEqual({
    backupId: 'b',
    step: 'checking',
    end: { isRestored: false, reason: 'no room', remedy: 'make some' },
  });
  expect(restoreOf([...done, checking], now)).toEqual({ backupId: 'b', step: 'checking' });
});

it('goes by the clock of the server, where this machine’s is wrong', () => {
  const done = [swapping, told('backups.restored', {})];
  const askedAt = Date.now();
  setClock('', new Date(now).toISOString(), askedAt);
  try {
    expect(restoreOf(done)).toMatchObject({ end: { isRestored: true } });
    setClock('', new Date(now + 3_600_000).toISOString(), askedAt);
    expect(restoreOf(done)).toBeUndefined();
  } finally {
    setClock('', new Date().toISOString(), Date.now());
  }
});

it.each([
  [0, '0 byte'],
  [999, '999 byte'],
  [1_000, '1 kB'],
  [6_234, '6.23 kB'],
  [78_654_321_000, '78.7 GB'],
])('writes %d bytes as a person does', (bytes, written) => {
  expect(sizeOf(bytes)).toBe(written);
});

it('tells of a backup that failed until another one is made', () => {
  const failed = told('backups.failed', { why: 'asked', reason: 'The disk is full' });
  const made = told('backups.made', {});
  const deleted = told('backups.deleted', {});
  expect(failureOf([made, failed, deleted])).toBe(failed);
  expect(failureOf([failed, made, deleted])).toBeUndefined();
  expect(failureOf([deleted])).toBeUndefined();
});
