import { globSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const folder = fileURLToPath(new URL('./', import.meta.url));

/** Where the page lies once it is built, and where the control API looks for it when it runs from the sources. */
export const dashboardDirectory = join(folder, 'dist');

/** What the page is made from, in this package and in those that it takes code from. */
const sources = [
  '{src,public}/**',
  'index.html',
  'package.json',
  'build.ts',
  '../client/src/**',
  '../shared/src/**',
  '../../pnpm-lock.yaml',
];

/** What the first view needs. */
const neededByAll =
  /preact|client\/src\/(?!chat|events|socket|stream)|dashboard\/src\/(farm\/|views\.ts|router|key\.ts|parts\/(beside|button|card|icon|lazy|states|time|events|face)|main\.tsx|load-soon|app|link-bar|navigation\.|views\/home\/(home|codes|people|farm-state|load-below))|words\.ts\?words/;

/** What most other views are made from, and what is needed when something is wrong, with what comes below the first sight of the farm: apart they would weigh half as much again. And the styles of all views. */
const neededSoon =
  /client\/src|dashboard\/src\/(may|soon|key-form|views\/home\/|parts\/(boxes|deed|dialog|facts|field|old|qr-code|secret|table|toasts|trouble))|words\.ts\?(deed|operation|secret|short)Words|(?<!styles\/(?:tokens|base|shell|parts|home))\.css$/;

/** All that the other views have to themselves, with what they load as one looks: apart it weighs more than it spares anybody. */
const otherViews = /dashboard\/src\/views\//;

/** Smaller ones cost more to unpack than they save. */
const compressedFrom = 200;
const compressible: ReadonlySet<string> = new Set(['.js', '.css', '.svg']);

/** How brotli may write distances, as NPOSTFIX and NDIRECT. Which way is the shortest is chance, and differs by a hundred bytes a file. */
const distances = [
  [0, 0],
  [0, 10],
  [1, 8],
  [1, 12],
  [2, 4],
  [3, 120],
] as const;

const brotlied = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** Builds the page, with each file beside it as it is to be sent. */
export async function buildDashboard(
  directory: string = dashboardDirectory,
  plugins: readonly Plugin[] = [],
): Promise<void> {
  // Nobody who starts a stack whose page is built already waits for the builder to be read.
  const { build } = await import('vite');
  await build({
    root: folder,
    configFile: false,
    base: '/',
    logLevel: 'warn',
    plugins: [ownWords, wordsApart, shortLoader, shortPage, shortTwice, ...plugins],
    // The same wherever it is built: tests say of themselves that they are no production.
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
    build: {
      outDir: directory,
      emptyOutDir: true,
      target: 'es2022',
      modulePreload: {
        polyfill: false,
        resolveDependencies: (_file, needed, { hostType }) =>
          hostType === 'html' ? needed : needed.filter((name) => name.endsWith('.css')),
      },
      // Whatever is not a file of its own would need a hole in the page's policy.
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      // What every view needs is needed by the first: in one file it is sent at once, and compresses better.
      rolldownOptions: {
        // Whoever starts a stack on a slow machine need not read what of the build took how long.
        checks: { bundlerTimings: false },
        output: {
          codeSplitting: {
            groups: [
              { name: 'page', test: neededByAll },
              { name: 'soon', test: neededSoon },
              { name: 'views', test: otherViews },
            ],
          },
        },
      },
    },
  });
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((name) =>
    compressible.has(extname(name)),
  );
  await Promise.all(files.map((name) => compress(join(directory, name))));
}

/**
 * Each view comes with its own texts: what one imports of the file of all texts becomes a module that has nothing else. Where a file
 * names each text that it takes, it imports each alone: nothing has to keep their names.
 */
const ownWords: Plugin = {
  name: 'own-words',
  enforce: 'pre',
  transform: (code) =>
    code.replaceAll(
      /import \{([^}]+)\} from '((?:\.{1,2}\/)+words\.ts)';/g,
      (_, names: string, file: string) =>
        names
          .split(',')
          .map((each) => {
            const [name = '', , alias = name] = each.trim().split(' ');
            const what = namesEach(code, alias) ? `* as ${alias}` : `{${name} as ${alias}}`;
            return `import ${what} from '${file}?${name}';`;
          })
          .join('\n'),
    ),
};

/** The start page has what only a server knows, so that it is not sent compressed: it goes without what no browser needs. */
const shortPage: Plugin = {
  name: 'short-page',
  transformIndexHtml: {
    order: 'post',
    handler: (html) => html.replaceAll(/\n\s*| crossorigin| \/(?=>)|<\/?(?:head|body)>|<\/html>/g, ''),
  },
};

/** The build's own minifier leaves 1,700 bytes that terser still finds, and alone each finds less. It takes some three seconds. */
const shortTwice: Plugin = {
  name: 'short-twice',
  async generateBundle(_options, bundle) {
    // Whoever starts a stack whose page is built already need not wait for it to be read.
    const { minify } = await import('terser');
    for (const file of Object.values(bundle))
      if (file.type === 'chunk')
        file.code = (await minify(file.code, { module: true, ecma: 2020 })).code ?? file.code;
  },
};

/** Whether nothing is done with it but to take a member by its name. */
function namesEach(code: string, alias: string): boolean {
  const said = code.replaceAll(/^import .*$|^\s*(?:\/\/|\*|\/\*).*$/gm, '');
  return !new RegExp(`(?<![\\w.'])${alias}(?![\\w':>"]|\\.\\w)`).test(said);
}

/** Texts, each of which can be imported alone, too. */
const wordsApart: Plugin = {
  name: 'words-apart',
  transform(code, id) {
    const [, wanted] = /words\.ts\?(\w+)$/.exec(id) ?? [];
    if (wanted === undefined) return null;
    const texts = this.parse(code).body.flatMap((statement) =>
      statement.type === 'ExportNamedDeclaration' && statement.declaration?.type === 'VariableDeclaration'
        ? statement.declaration.declarations
        : [],
    );
    const text = texts.find(({ id: name }) => name.type === 'Identifier' && name.name === wanted);
    if (text?.init?.type !== 'ObjectExpression') return null;
    const members = text.init.properties.flatMap((each) =>
      each.type === 'Property' && each.key.type === 'Identifier'
        ? [[each.key.name, each.value] as const]
        : [],
    );
    let rest = code;
    for (const [index, [, { start, end }]] of [...members.entries()].reverse())
      rest = `${rest.slice(0, start)}text${index}${rest.slice(end)}`;
    const apart = members.map(
      ([name, { start, end }], index) =>
        `const text${index} = ${code.slice(start, end)};\nexport { text${index} as ${name} };\n`,
    );
    return `${apart.join('')}${rest}`;
  },
};

/**
 * What Vite puts into each page to load styles of parts with them, without what it has for older browsers and other pages. Styles
 * that could not be loaded are asked for again by what needs them next.
 */
const shortLoader: Plugin = {
  name: 'short-loader',
  enforce: 'pre',
  load: (id) =>
    id === '\0vite/preload-helper.js'
      ? `const asked = {};
         const style = (name) => (asked[name] ??= new Promise((done, fail) => {
           const link = document.createElement('link');
           link.rel = 'stylesheet';
           link.href = '/' + name;
           link.onload = done;
           link.onerror = () => {
             link.remove();
             delete asked[name];
             fail(Error(name));
           };
           document.head.append(link);
         }));
         export const __vitePreload = (load, styles = []) => Promise.all(styles.map(style)).then(load);`
      : null,
};

/** Builds it where something that it is made from is younger than it; false where there was nothing to do. */
export async function freshDashboard(): Promise<boolean> {
  const changedAt = Math.max(
    ...globSync(sources, { cwd: folder }).map((path) => statSync(join(folder, path)).mtimeMs),
  );
  const builtAt = statSync(join(dashboardDirectory, 'index.html'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (builtAt > changedAt) return false;
  // Beside it first: another stack may serve what is there.
  const made = join(folder, 'node_modules', `.page-${process.pid}`);
  await buildDashboard(made);
  rmSync(dashboardDirectory, { recursive: true, force: true });
  renameSync(made, dashboardDirectory);
  return true;
}

async function compress(file: string): Promise<void> {
  const content = readFileSync(file);
  if (content.length < compressedFrom) return;
  const [gzip, ...brotlis] = await Promise.all([
    gzipped(content, { level: 9 }),
    ...distances.map(([postfix, direct]) =>
      brotlied(content, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
          [constants.BROTLI_PARAM_NPOSTFIX]: postfix,
          [constants.BROTLI_PARAM_NDIRECT]: direct,
        },
      }),
    ),
  ]);
  const brotli = brotlis.reduce((best, other) => (other.length < best.length ? other : best));
  writeFileSync(`${file}.br`, brotli);
  writeFileSync(`${file}.gz`, gzip);
}
