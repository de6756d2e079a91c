import { expect, it } from 'vitest';
import { AuditBook, type AuditLine } from './audit-book.ts';

const line: AuditLine = { actor: 'scripts', action: 'setTime', outcome: 'applied', operationId: 'a' };
const other: AuditLine = { actor: 'owner', action: 'createBackup', outcome: 'applied', operationId: 'b' };
const none = { logged: new Set<string>(), interruptions: {} };

function book(): AuditBook {
  const made = new AuditBook(['scripts'], ['owner']);
  made.did('scripts', 'the time', 'a');
  made.did('owner', 'a backup', 'b');
  return made;
}

it('agrees with an audit in which each deed stands once', () => {
  const denied: AuditLine = { actor: 'owner', action: 'setTime', outcome: 'denied' };
  const unknown: AuditLine = { ...line, outcome: 'unknown' };
  expect(book().compare([unknown, line, other, denied], none)).toEqual([]);
});

it.each([
  ['a deed that is missing', [line], /owner has done a backup \(b\)/],
  ['a deed that stands there twice', [line, line, other], /a ended 2 times: applied, applied/],
  [
    'a deed that was refused, too',
    [line, { ...line, outcome: 'refused', problem: 'farmhand-online' }, other],
    /a ended 2 times: applied, farmhand-online/,
  ],
  ['a deed by somebody else', [{ ...line, actor: 'owner' }, other], /scripts has done the time/],
  ['a deed that nobody knows of', [line, other, { ...line, operationId: 'c' }], /who knows nothing of it/],
  [
    'somebody whom nobody knows',
    [line, other, { ...other, actor: 'Eve', operationId: 'd' }],
    /nobody knows Eve/,
  ],
  [
    'one that was interrupted for no reason',
    [line, other, { ...line, operationId: undefined, outcome: 'unknown', interrupted: true }],
    /1 lines of scripts are interrupted, where 0 could be/,
  ],
] as const)('finds %s', (_what, lines, wrong) => {
  expect(
    book()
      .compare(lines as readonly AuditLine[], none)
      .join('\n'),
  ).toMatch(wrong);
});

it.each([
  ['a full disk', 'void', 'state-unwritable'],
  ['a game that saves', 'refused', 'game-unavailable'],
] as const)('takes one that %s refused first, under the same key', (_who, outcome, problem) => {
  const refused: AuditLine = { ...line, outcome, problem };
  expect(book().compare([refused, line, other], none)).toEqual([]);
});

it('takes a deed whose line the log has alone, and one that a kill has cut off', () => {
  expect(book().compare([line], { ...none, logged: new Set(['b']) })).toEqual([]);
  const interrupted = { ...other, operationId: undefined, outcome: 'unknown', interrupted: true };
  const lines = [line, interrupted] as readonly AuditLine[];
  expect(book().compare(lines, { ...none, interruptions: { owner: 1 } })).toEqual([]);
});
