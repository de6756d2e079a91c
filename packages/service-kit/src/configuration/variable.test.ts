import { expect, it } from 'vitest';
import { port, secretText, text } from './kinds.ts';
import { readConfiguration } from './read.ts';
import {
  dataVariables,
  environmentExample,
  helpRows,
  markdownTable,
  secretNames,
  variable,
} from './variable.ts';

const table = {
  PORT: variable(port, { fallback: 80, means: 'Where it listens' }),
  KEY: variable(secretText('any text'), { means: 'What opens it' }),
};

it('names secret rows and the files that hold them, and nothing else', () => {
  expect(secretNames(table)).toEqual(['KEY', 'KEY_FILE']);
});

it('tells --help name, meaning, what is allowed and the default', () => {
  expect(helpRows(table)).toEqual([
    ['PORT', 'Where it listens (an integer from 0 to 65535). Default: 80.'],
    ['KEY', 'What opens it (any text). Or KEY_FILE: a file that contains it.'],
  ]);
});

it('moves the defaults that lie below DATA_DIR, and nothing that is set or lies elsewhere', () => {
  const directory = text('a directory');
  const rows = {
    ...dataVariables,
    STATE_DIR: variable(directory, { fallback: '/data/state', means: 'State', isBelowData: true }),
    SESSION_DIR: variable(directory, { fallback: '/data/session', means: 'Sessions', isBelowData: true }),
    SAVES: variable(directory, { fallback: '/data-of-the-game', means: 'Saves' }),
  };
  expect(readConfiguration(rows, {})).toMatchObject({ DATA_DIR: '/data', STATE_DIR: '/data/state' });
  expect(readConfiguration(rows, { DATA_DIR: '/home/container/', SESSION_DIR: '/secret' })).toEqual({
    DATA_DIR: '/home/container/',
    STATE_DIR: '/home/container/state',
    SESSION_DIR: '/secret',
    SAVES: '/data-of-the-game',
  });
  expect(readConfiguration(rows, { DATA_DIR: '' })).toMatchObject({ STATE_DIR: '/data/state' });
});

it('makes a Markdown table', () => {
  expect(markdownTable(table).split('\n').slice(2)).toEqual([
    '| `PORT` | Where it listens | an integer from 0 to 65535 | `80` | no |',
    '| `KEY`, `KEY_FILE` | What opens it | any text | none | yes |',
  ]);
});

it('makes an environment file that changes nothing until a line is uncommented', () => {
  const lines = environmentExample(table).split('\n');
  expect(lines.every((line) => line === '' || line.startsWith('#'))).toBe(true);
  expect(lines).toContain('#PORT=80');
});
