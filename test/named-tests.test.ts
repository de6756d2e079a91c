import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const root = new URL('../', import.meta.url);

describe('docs/security.md', () => {
  const threats = rows('docs/security.md', '| Threat |');
  const tests = testsOf('docs/security.md');

  it('has a table of threats', () => {
    expect(threats.length).toBeGreaterThan(20);
  });

  // `file › title`, or with the titles of what the test stands in between; several are separated by commas.
  it.each(threats)('“%s” names tests that there are', (_threat, _control, number = '') => {
    const named = [...(tests.get(number) ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) =>
      name.split(' › '),
    );
    expect(named).not.toEqual([]);
    for (const [path = '', ...titles] of named) {
      expect(titles, `${path} without a title`).not.toEqual([]);
      expect(titles.filter((title) => !hasTitle(path, title))).toEqual([]);
    }
  });
});

describe('the table of entry points', () => {
  const [attacks = [], ...entries] = tableOf('docs/security.md', '| Entry point |');
  const pages = { '': 'docs/security.md', 'reliability.md': 'docs/reliability.md' } as const;

  it('is there', () => {
    expect(attacks.length).toBeGreaterThan(7);
    expect(entries.length).toBeGreaterThan(10);
  });

  it.each(entries)('%s is attacked in each way, or says that it cannot be', (_entry, ...cells) => {
    expect(cells).toHaveLength(attacks.length - 1);
    for (const cell of cells) {
      const links = [...cell.matchAll(/\[R?(\d+)\]\((reliability\.md|)#test-\1\)/g)];
      expect(links.map(([link]) => link).join(', '), cell).toBe(cell === '–' ? '' : cell);
      for (const [, number = '', page] of links)
        expect(testsOf(pages[page as keyof typeof pages]).has(number), cell).toBe(true);
    }
  });
});

describe('docs/reliability.md', () => {
  const promises = rows('docs/reliability.md', '| Promise |');
  const tests = testsOf('docs/reliability.md');
  const named = (number: string) => /^`(.+?) › (.+)`$/.exec(tests.get(number) ?? '')?.slice(1) ?? [];

  it('has tables of promises', () => {
    expect(promises.length).toBeGreaterThan(40);
  });

  // Titles can be long: a part of one is enough.
  it.each(promises)('“%s” names a test that there is', (_promise, _repeated, number = '') => {
    const [path = '', title = ''] = named(number);
    expect(title).not.toBe('');
    expect(source(path)).toContain(title);
  });

  it.each(promises.filter(([, repeated]) => repeated !== ''))(
    '“%s” tells its counts as they are',
    (_promise, repeated = '', number = '') => {
      const [small, long] = (repeated.match(/[\d,]+/g) ?? []).map((count) => count.replaceAll(',', '_'));
      const [path = ''] = named(number);
      expect(source(path)).toContain(`count({ small: ${small}, long: ${long} })`);
    },
  );
});

it.each(['docs/security.md', 'docs/reliability.md'])('%s lists no test that no row leads to', (page) => {
  const text = readFileSync(new URL(page, root), 'utf8');
  const unused = [...testsOf(page).keys()].filter(
    (number) => !text.includes(`[${number}](#test-${number}) |`),
  );
  expect(unused).toEqual([]);
});

describe('a title that a page names', () => {
  const here = 'test/named-tests.test.ts';

  it('is there as it is written, whichever quotes it has', () => {
    expect(hasTitle(here, 'is there as it is written, whichever quotes it has')).toBe(true);
    expect(hasTitle('packages/control-api/test/ownership/killed-writes.test.ts', 'no such title')).toBe(
      false,
    );
    expect(hasTitle('test/no-such.test.ts', 'is there as it is written, whichever quotes it has')).toBe(
      false,
    );
  });

  // it('is no title where it is commented out', () => {});
  it('is not there in a comment', () => {
    expect(hasTitle(here, 'is no title where it is commented out')).toBe(false);
  });
});

/** The rows of every table of a page that begins so, each as its cells. */
function rows(page: string, head: string): string[][] {
  const [, ...tables] = readFileSync(new URL(page, root), 'utf8').split(`\n${head}`);
  return tables.flatMap((table) =>
    table
      .split('\n\n', 1)
      .join()
      .split('\n')
      .slice(2)
      .map((row) => row.slice(2).split(/ ?\| ?/))
      .map((cells) => cells.map((cell) => cell.replace(/^\[(\d+)\]\(#test-\1\)$/, '$1'))),
  );
}

/** The cells of the table that begins so, its head first. */
function tableOf(page: string, head: string): string[][] {
  const text = readFileSync(new URL(page, root), 'utf8');
  const [table = ''] = text.slice(text.indexOf(`\n${head}`) + 1).split('\n\n', 1);
  const [first = '', _line, ...others] = table.split('\n');
  return [first, ...others].map((row) => row.slice(2, -2).split(' | '));
}

/** The tests that rows lead to, by their number. */
function testsOf(page: string): ReadonlyMap<string, string> {
  const listed = readFileSync(new URL(page, root), 'utf8').matchAll(/^\d+\. <a id="test-(\d+)"><\/a>(.*)$/gm);
  return new Map([...listed].map(([, number = '', tests = '']) => [number, tests]));
}

/** Whether a test or a group of tests in the file has the title: such a text, with something to follow. */
function hasTitle(path: string, title: string): boolean {
  return ["'", '"', '`'].some((quote) => source(path).includes(`${quote}${title}${quote},`));
}

/** What a test says, without what is commented out; nothing where there is no such test. */
function source(path: string): string {
  if (!path.endsWith('.test.ts') || !existsSync(new URL(path, root))) return '';
  return readFileSync(new URL(path, root), 'utf8')
    .replace(/^\s*\/\/.*/gm, '')
    .replaceAll("\\'", "'");
}
