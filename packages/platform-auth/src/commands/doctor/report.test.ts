import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { type DoctorLine, printLine, printSummary } from './report.ts';

const line: DoctorLine = {
  check: 'proxy',
  title: 'Proxy',
  status: 'failed',
  found: 'the one of PLATFORM_PROXY takes no connections (ECONNREFUSED)',
  remedy: 'Start it, or fix PLATFORM_PROXY',
};

it('is one line where there is no terminal', () => {
  expect(printLine(line, { hasColours: false })).toBe(
    'failed   Proxy: the one of PLATFORM_PROXY takes no connections (ECONNREFUSED). Start it, or fix PLATFORM_PROXY',
  );
});

it('stands beside its status on a narrow terminal', () => {
  expect(printLine(line, { columns: 40, hasColours: false }).split('\n')).toEqual([
    'failed   Proxy: the one of',
    '         PLATFORM_PROXY takes no',
    '         connections (ECONNREFUSED).',
    '         Start it, or fix PLATFORM_PROXY',
  ]);
});

it('gives a terminal no orders, whatever was found', () => {
  const hostile = { ...line, found: 'a\u009b2J\u202egnp.exe' };
  expect(printLine(hostile, { columns: 80, hasColours: true })).toContain('a\\u009b2J\\u202egnp.exe');
});

it('colours the status alone', () => {
  const coloured = printLine(line, { columns: 80, hasColours: true });
  expect(coloured).toContain('\u001b[31m');
  expect(stripVTControlCharacters(coloured)).toBe(printLine(line, { columns: 80, hasColours: false }));
});

it('says at the end where to begin', () => {
  const fine: DoctorLine = { check: 'clock', title: 'Clock', status: 'ok', found: 'right' };
  const doubtful: DoctorLine = { ...fine, status: 'warning', remedy: 'none' };
  expect(printSummary([fine])).toBe('Nothing failed');
  expect(printSummary([fine, doubtful])).toBe('Nothing failed, 1 warning');
  expect(printSummary([fine, line, doubtful, doubtful, line])).toBe(
    '2 of 5 checks failed, 2 warnings: begin with "Proxy"',
  );
});
