import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { choice, integer } from '@steward/shared/kinds';
import { refused } from '@steward/shared/parsed';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OperatorError } from '../process/errors.ts';
import { Secret } from '../secret.ts';
import { flag, headerSecret, port, secretText, text } from './kinds.ts';
import { readConfiguration } from './read.ts';
import { variable } from './variable.ts';

const table = {
  ENABLED: variable(flag, { fallback: true, means: 'whether' }),
  PORT: variable(port, { fallback: 8080, means: 'where' }),
  RETRIES: variable(integer({ min: 1, max: 9 }), { fallback: 3, means: 'how often' }),
  MODE: variable(choice(['listen', 'spawn']), { fallback: 'listen', means: 'how' }),
  HOST: variable(text('an address'), { fallback: '0.0.0.0', means: 'on what' }),
  KEY: variable(secretText('any text'), { means: 'the key' }),
};

function linesOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfiguration(table, environment);
    return [];
  } catch (error) {
    if (error instanceof OperatorError) return error.lines;
    throw error;
  }
}

describe('reading the environment', () => {
  it('gives every row its fallback when nothing is set, and an empty value counts as unset', () => {
    const fallbacks = {
      ENABLED: true,
      PORT: 8080,
      RETRIES: 3,
      MODE: 'listen',
      HOST: '0.0.0.0',
      KEY: undefined,
    };
    expect(readConfiguration(table, {})).toEqual(fallbacks);
    expect(
      readConfiguration(table, { ENABLED: '', PORT: '', MODE: '', HOST: '', KEY: '', KEY_FILE: '' }),
    ).toEqual(fallbacks);
  });

  it('gives every row its value', () => {
    const read = readConfiguration(table, {
      ENABLED: 'False',
      PORT: '0',
      RETRIES: '9',
      MODE: 'spawn',
      HOST: '::1',
      KEY: 'k',
    });
    expect(read).toMatchObject({ ENABLED: false, PORT: 0, RETRIES: 9, MODE: 'spawn', HOST: '::1' });
    expect(read.KEY?.reveal()).toBe('k');
  });

  it.each([
    ['ENABLED', 'yes', 'ENABLED is "yes": it must be true or false'],
    ['ENABLED', '1', 'ENABLED is "1": it must be true or false'],
    ['PORT', '65536', 'PORT is "65536": it must be an integer from 0 to 65535'],
    ['PORT', '-1', 'PORT is "-1": it must be an integer from 0 to 65535'],
    ['PORT', '8080 ', 'PORT is "8080 ": it must be an integer from 0 to 65535'],
    ['PORT', '0x10', 'PORT is "0x10": it must be an integer from 0 to 65535'],
    ['RETRIES', '1e1', 'RETRIES is "1e1": it must be an integer from 1 to 9'],
    ['RETRIES', '٣', 'RETRIES is "٣": it must be an integer from 1 to 9'],
    ['MODE', 'Spawn', 'MODE is "Spawn": it must be one of listen, spawn'],
  ])('names variable, problem and what is allowed when %s is %j', (name, value, line) => {
    expect(linesOf({ [name]: value })).toEqual([line]);
  });

  it.each([
    ['http://admin:hunter2@10.0.0.5:8080', 'http://…@10.0.0.5:8080'],
    ['"http://admin:hunter2@10.0.0.5:8080"', '"http://…@10.0.0.5:8080"'],
    ['//admin:hunter2@10.0.0.5', '//…@10.0.0.5'],
    ['//hunter2@10.0.0.5', '//…@10.0.0.5'],
    ['a/b//hunter2@10.0.0.5', 'a/b//…@10.0.0.5'],
    ['admin:hunter2@10.0.0.5:8080', '…@10.0.0.5:8080'],
    ['admin:hunter/@2//3@10.0.0.5', '…@10.0.0.5'],
    ['http:/admin:hunter2@10.0.0.5', '…@10.0.0.5'],
    ['http:\\\\admin:hunter2@10.0.0.5', '…@10.0.0.5'],
    ['http://admin:hun\nter2@10.0.0.5', 'http://…@10.0.0.5'],
    ['panel.example,https://admin:hunter2@10.0.0.5', 'panel.example,https://…@10.0.0.5'],
  ])('does not show the password in %j', (MODE, shown) => {
    expect(linesOf({ MODE })).toEqual([`MODE is ${JSON.stringify(shown)}: it must be one of listen, spawn`]);
  });

  it.each(['<@&123456789012345678>', 'ann@10.0.0.5:8080', 'https://farm.example:8080/a'])(
    'shows all of %j, in which no password can be',
    (MODE) => {
      expect(linesOf({ MODE })).toEqual([`MODE is ${JSON.stringify(MODE)}: it must be one of listen, spawn`]);
    },
  );

  it('shows everything that is wrong at once, a line each', () => {
    expect(linesOf({ ENABLED: 'x', PORT: 'y', MODE: 'z' })).toHaveLength(3);
  });

  it('says of any value either that it is in range or that it is not', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ minLength: 1 }), fc.integer().map(String)), (value) => {
        const inRange =
          /^[0-9]+$/.test(value) && value.length <= 15 && Number(value) >= 1 && Number(value) <= 9;
        expect(linesOf({ RETRIES: value })).toHaveLength(inRange ? 0 : 1);
      }),
    );
  });
});

it('takes an empty value for a value where a row says so', () => {
  const row = variable(text('a place'), { fallback: 'there', means: 'where', emptyIsAValue: true });
  expect(readConfiguration({ PLACE: row }, { PLACE: '' })).toEqual({ PLACE: '' });
  expect(readConfiguration({ PLACE: row }, {})).toEqual({ PLACE: 'there' });
});

describe('a secret', () => {
  it('comes from the file that <NAME>_FILE names, without the line break that ends it and the mark that some editors begin it with', () => {
    using directory = temporaryDirectory();
    const file = join(directory.path, 'key');
    for (const content of ['from the file\n', '\ufefffrom the file\r\n']) {
      writeFileSync(file, content);
      const { KEY } = readConfiguration(table, { KEY_FILE: file });
      expect(KEY).toBeInstanceOf(Secret);
      expect(KEY?.reveal()).toBe('from the file');
    }
  });

  it('must not come from two places', () => {
    expect(linesOf({ KEY: 'k', KEY_FILE: '/nowhere' })).toEqual([
      'KEY and KEY_FILE are both set: set one of them',
    ]);
  });

  it('in a file that is missing or empty is an error that names the file', () => {
    using directory = temporaryDirectory();
    const missing = join(directory.path, 'missing');
    const empty = join(directory.path, 'empty');
    writeFileSync(empty, '\n');
    expect(linesOf({ KEY_FILE: missing })).toEqual([
      `KEY_FILE names ${missing}, which cannot be read (ENOENT): it must be a readable file`,
    ]);
    expect(linesOf({ KEY_FILE: empty })).toEqual([
      `KEY_FILE names ${empty}, which is empty: it must contain the value`,
    ]);
  });

  it.each(['two\nlines', 'größe', ' k', 'k ', 'a\u0000b'])('that is sent as a header cannot be %j', (KEY) => {
    const rows = { KEY: variable(headerSecret('ASCII characters'), { means: 'the key' }) };
    expect(() => readConfiguration(rows, { KEY })).toThrow(/^KEY is malformed: it must be ASCII characters/m);
    expect(readConfiguration(rows, { KEY: 'k3y of three/words+=' }).KEY?.reveal()).toBe(
      'k3y of three/words+=',
    );
  });

  it('is not shown when it is malformed', () => {
    const strict = {
      KEY: variable({ ...table.KEY.kind, parse: () => refused('is not that') }, { means: 'the key' }),
    };
    expect(() => readConfiguration(strict, { KEY: 'hunter2' })).toThrow(
      new OperatorError('KEY is malformed: it must be any text'),
    );
  });
});
