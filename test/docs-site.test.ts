import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sidebar } from '../docs/.vitepress/sidebar.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const buildLimitMs = 300_000;

const directory = temporaryDirectory();
const site = join(directory.path, 'site');
/** Each page as it was built, by its path in the site. */
const pages = new Map<string, string>();

beforeAll(async () => {
  const program = join(root, 'node_modules/vitepress/bin/vitepress.js');
  await promisify(execFile)(process.execPath, [program, 'build', 'docs'], {
    cwd: root,
    env: { PATH: process.env['PATH'], DOCS_OUT: site, NODE_ENV: 'production' },
  });
  for (const path of globSync('**/*.html', { cwd: site }))
    pages.set(`/${path}`, readFileSync(join(site, path), 'utf8'));
}, buildLimitMs);
afterAll(() => directory[Symbol.dispose]());

/** Where the links and pictures of a page lead, without those to other sites. */
function targets(path: string, html: string): URL[] {
  const attributes = html.matchAll(/(?:<a [^>]*?href|<img [^>]*?src|<source [^>]*?srcset)="([^"]+)"/g);
  return [...attributes]
    .map(([, target = '']) => new URL(target.replaceAll('&amp;', '&'), `http://site${path}`))
    .filter(({ host }) => host === 'site');
}

/** What is wrong with a target, if anything. */
function problem({ pathname, hash }: URL): string | undefined {
  const path = decodeURIComponent(pathname.endsWith('/') ? `${pathname}index.html` : pathname);
  if (!existsSync(join(site, path))) return `there is no ${path}`;
  const name = decodeURIComponent(hash.slice(1));
  if (name === '' || !path.endsWith('.html')) return undefined;
  return pages.get(path)?.includes(` id="${name}"`) === true ? undefined : `${path} has no #${name}`;
}

it('every link and picture leads somewhere, anchors too', () => {
  let looked = 0;
  const dead = [...pages].flatMap(([path, html]) =>
    targets(path, html).flatMap((target) => {
      looked += 1;
      const wrong = problem(target);
      return wrong === undefined ? [] : [`${path}: ${wrong}`];
    }),
  );
  expect(dead).toEqual([]);
  expect(looked).toBeGreaterThan(1_000);
});

it('every page has its place in the sidebar, and every place its page', () => {
  const written = ['*.md', 'docs/*.md', 'packages/*/README.md', 'deploy/*/README.md', 'examples/README.md']
    .flatMap((pattern) => globSync(pattern, { cwd: root }))
    .map((path) => (path === 'README.md' ? '/' : `/${path.replace(/\.md$/, '')}`));
  const placed = sidebar.flatMap(({ items }) => items.map(({ link }) => link));
  expect(placed.toSorted()).toEqual(written.toSorted());
});

it('loads nothing from another site, and searches without one', () => {
  const loaded =
    /(?:<(?:script|img|source)[^>]*?(?:src|srcset)|<link[^>]*?href)="https?:|@import url\(|url\(["']?https?:/;
  const assets = globSync('**/*.{css,html}', { cwd: site });
  expect(assets.filter((path) => loaded.test(readFileSync(join(site, path), 'utf8')))).toEqual([]);
  expect(globSync('assets/**/*localSearchIndex*', { cwd: site })).not.toEqual([]);
});

it('draws the diagrams while it builds', () => {
  const html = pages.get('/docs/architecture.html') ?? '';
  expect(html.match(/<svg[^>]*viewBox[\s\S]*?platform-auth/g)).not.toBeNull();
  expect(html).not.toContain('flowchart');
});
