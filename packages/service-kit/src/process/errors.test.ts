import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { systemError } from '@steward/testing/system-error';
import { expect, it } from 'vitest';
import { causeInWords, codeInBrackets, codeOrWords, errorCode } from './errors.ts';

it('is what Node names its error by', () => {
  const caught = (() => {
    try {
      return readFileSync('/no/such/file');
    } catch (error) {
      return error;
    }
  })();
  expect(errorCode(caught)).toBe('ENOENT');
  expect(codeInBrackets(caught)).toBe(' (ENOENT)');
});

it.runIf(process.platform === 'linux').each(['EDQUOT', 'ESTALE'] as const)(
  'is the name of one that Node has none for: %s',
  (name) => {
    const errno = constants.errno[name];
    const ofFiles = systemError(errno);
    expect(ofFiles.code).toBe(`Unknown system error -${errno}`);
    expect(errorCode(ofFiles)).toBe(name);
    // As what waits for the disk says it.
    expect(errorCode(Object.assign(systemError(errno), { code: 'UNKNOWN' }))).toBe(name);
  },
);

it('stays as it is where the system has no name for it either', () => {
  const strange = systemError(9_999);
  expect(errorCode(strange)).toBe(strange.code);
  expect(errorCode(Object.assign(new Error('strange'), { code: 'UNKNOWN' }))).toBe('UNKNOWN');
});

it.each<[unknown, string]>([
  [new Error('without'), 'without'],
  [Object.assign(new Error('of none'), { code: undefined }), 'of none'],
  [{ code: 'ENOENT' }, '[object Object]'],
  ['ENOENT', 'ENOENT'],
  [undefined, 'undefined'],
  [null, 'null'],
])('is not there: %o', (thrown, words) => {
  expect(errorCode(thrown)).toBeUndefined();
  expect(codeInBrackets(thrown)).toBe('');
  expect(codeOrWords(thrown)).toBe(words);
});

const refusals = ['::1', '127.0.0.1'].map((address) =>
  Object.assign(new Error(`connect ECONNREFUSED ${address}:80`), { code: 'ECONNREFUSED' }),
);
/** As Node has it of a host with two addresses. */
const refused = Object.assign(new AggregateError(refusals), { code: 'ECONNREFUSED' });

it.each<[string, unknown, string]>([
  ['what it says', new Error('no room'), 'no room'],
  ['its cause', new TypeError('fetch failed', { cause: new Error('no route') }), 'no route'],
  ['the first of several failures', refused, 'connect ECONNREFUSED ::1:80'],
  ['its first cause', new TypeError('fetch failed', { cause: refused }), 'connect ECONNREFUSED ::1:80'],
  ['its code where it says nothing', Object.assign(new Error(''), { code: 'ECONNRESET' }), 'ECONNRESET'],
  ['its name where it has no more', new AggregateError([]), 'AggregateError'],
  ['itself where it is no error', 'gone', 'gone'],
])('is told by %s', (_what, thrown, words) => {
  expect(causeInWords(thrown)).toBe(words);
});
