import { expect, it } from 'vitest';
import { port, secretText } from './kinds.ts';
import { environmentExample, helpRows, markdownTable, secretNames, variable } from './variable.ts';

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
    ['KEY', 'What opens it (any text). Or KEY_FILE: a file that holds it.'],
  ]);
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
