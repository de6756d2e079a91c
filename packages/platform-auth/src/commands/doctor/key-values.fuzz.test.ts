import { damaged, garbage } from '@steward/testing/hostile/bytes';
import { withstand } from '@steward/testing/hostile/withstand';
import { count } from '@steward/testing/scale';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readConnectionManagers, readContentServers } from './key-values.ts';

const managers = `"response"\n{\n"serverlist"\n{\n"0"\n{\n"endpoint"\t\t"a.example:27017"\n}\n"1"\n{\n"endpoint" "b.example:443"\n}\n}\n"success" "1"\n}\n`;
const servers = `"response"\n{\n"servers"\n{\n"0"\n{\n"host" "c.example"\n"https_support" "mandatory"\n}\n}\n}\n`;
const tokens = fc.constantFrom(
  '"',
  '{\n',
  '}\n',
  '\n',
  ' ',
  '\\',
  '"response"',
  '"serverlist"',
  '"servers"',
  '"0"',
  '"host"',
  '"__proto__"',
  '"constructor"',
  '"prototype"',
  '"polluted" "1"\n',
  '//',
  '[$X]',
  '#include "x"\n',
);
const text = fc.oneof(
  damaged(fc.constantFrom(managers, servers).map((each) => Buffer.from(each))).map((bytes) =>
    bytes.toString('utf8'),
  ),
  fc.array(tokens, { maxLength: 40 }).map((parts) => parts.join('')),
  garbage().map((bytes) => bytes.toString('latin1')),
);

it('reads the lists that the platform gives', { timeout: 3_600_000 }, () => {
  expect(readConnectionManagers(managers).map(({ host }) => host)).toEqual(['a.example:27017', 'b.example']);
  expect(readContentServers(servers).map(({ href }) => href)).toEqual(['https://c.example/']);
  // As the download asks them.
  const optional = servers.replace('mandatory', 'optional');
  expect(readContentServers(optional).map(({ href }) => href)).toEqual(['http://c.example/']);
});

it('a hostile list gives addresses of the web or none', { timeout: 3_600_000 }, () => {
  fc.assert(
    fc.property(text, (given) => {
      for (const url of withstand(() => [...readConnectionManagers(given), ...readContentServers(given)]))
        expect(url.protocol).toMatch(/^https?:$/);
    }),
    { numRuns: count({ small: 500, long: 100_000 }) },
  );
});

it('a list nested tens of thousands of levels deep is none, and costs no time', {
  timeout: 3_600_000,
}, () => {
  const deep = '"response"\n{\n'.repeat(60_000);
  expect(withstand(() => [...readConnectionManagers(deep), ...readContentServers(deep)])).toEqual([]);
});
