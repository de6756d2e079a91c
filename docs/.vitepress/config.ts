import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { drawDiagrams } from './diagrams.ts';
import { fitLinks } from './links.ts';
import { sidebar } from './sidebar.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));

/** What pages show or link to as it is. */
const asTheyAre = [
  'docs/page',
  'docs/terminal',
  'docs/api-spec.json',
  'docs/async-api.json',
  'docs/bridge-schema.json',
  'docker-compose.yml',
  'examples',
  'deploy',
];

/** Endings of files that pages link to: VitePress would take them for pages. */
process.env['VITE_EXTRA_EXTENSIONS'] = 'py,mts,ts,sh,yml,yaml,service,example';

const base = process.env['DOCS_BASE'] || '/';

/** What a heading is called in a link. */
function asOnGitHub(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}

/** The pages are where GitHub shows them, and their addresses here are the same paths: so every link is right on both. */
export default defineConfig({
  title: 'Steward',
  description: 'A dedicated co-op farm server: control API, web page, bots and backups',
  lang: 'en',
  base,
  srcDir: checkout,
  srcExclude: ['test/**', '.github/**'],
  rewrites: { 'README.md': 'index.md' },
  head: [['link', { rel: 'icon', href: `${base}icon.svg`, type: 'image/svg+xml' }]],
  outDir: process.env['DOCS_OUT'] || join(checkout, 'dist', 'docs'),
  cacheDir: join(checkout, 'node_modules', '.cache', 'vitepress'),
  markdown: {
    config(markdown) {
      drawDiagrams(markdown);
      fitLinks(markdown);
    },
    anchor: { slugify: asOnGitHub },
    languageAlias: { bridge: 'txt' },
  },
  // Pictures keep the addresses that they have on GitHub.
  vue: { template: { transformAssetUrls: false } },
  themeConfig: {
    sidebar: sidebar.map(({ text, items }) => ({ text, items: [...items], collapsed: false })),
    // The index is part of the site, so the search works without another server.
    search: { provider: 'local' },
    outline: [2, 3],
  },
  buildEnd({ outDir }) {
    cpSync(join(checkout, 'packages/dashboard/public/icon.svg'), join(outDir, 'icon.svg'));
    for (const path of asTheyAre) cpSync(join(checkout, path), join(outDir, path), { recursive: true });
  },
});
