import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { openPage } from '@steward/testing/browser';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientBytes, clientPackage, mostClientBytes } from './client-package.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
const compiler = join(root, 'node_modules/typescript/bin/tsc');

let place: ReturnType<typeof temporaryDirectory>;
let made: string;
let tarball: string;
let installed: string;

/** Made, packed and installed once, as a release does it and then whoever uses it. */
beforeAll(async () => {
  place = temporaryDirectory();
  made = join(place.path, 'made');
  await clientPackage(made, 'somebody/steward');
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  await run('npx', ['-y', packageManager, 'pack', '--out', join(place.path, 'client.tgz')], { cwd: made });
  tarball = join(place.path, 'client.tgz');
  installed = join(place.path, 'bot');
  mkdirSync(installed);
  writeFileSync(join(installed, 'package.json'), '{ "name": "bot", "private": true, "type": "module" }');
  await run('npm', ['install', '--no-audit', '--no-fund', '--offline', tarball], { cwd: installed });
});

afterAll(() => place[Symbol.dispose]());

/** Compiles a program in the folder of the bot, as strictly as there is. */
async function compile(text: string, options: object): Promise<string> {
  writeFileSync(join(installed, 'bot.ts'), text);
  const strictest = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
    target: 'es2022',
    module: 'nodenext',
  };
  const configuration = { compilerOptions: { ...strictest, ...options }, files: ['bot.ts'] };
  writeFileSync(join(installed, 'tsconfig.json'), JSON.stringify(configuration));
  return await run(process.execPath, [compiler, '-p', installed]).then(
    () => '',
    ({ stdout }) => stdout,
  );
}

const bot = `
import { type ChatReceipt, type ErrorCode, type Event, type EventsOptions, type Farm, type Players, type SetTimeParameters, steward, StewardError, type Topic } from '@steward/client';

const farm: Farm = steward({ url: 'http://127.0.0.1:8080', key: 'k', timeoutMs: 5_000, retries: 2 });
const noon: SetTimeParameters = { value: 1200 };
export async function main(): Promise<ErrorCode | string> {
  const { players }: Players = await farm.listPlayers();
  const ids: bigint[] = players.map(({ id }) => id);
  await farm.grantAdmin({ playerId: ids[0] ?? 0n });
  await farm.grantAdmin({ playerId: players[0]?.idStr ?? '0' }, { idempotencyKey: 'mine' });
  await farm.setTime(noon, { timeoutMs: 1_000 });
  await farm.listOperations();
  // @ts-expect-error: a number would be rounded
  await farm.grantAdmin({ playerId: 620826087702429 });
  // @ts-expect-error: one of the two
  await farm.grantAdmin({ name: 'Ann', playerId: 1n });
  // @ts-expect-error: it has to be said
  await farm.setTime();
  // @ts-expect-error: a read carries no key of a deed
  await farm.getStatus({}, { idempotencyKey: 'mine' });
  // @ts-expect-error: there is no such thing
  await farm.getNothing();
  const topics: Topic[] = ['chat', 'farm'];
  const options: EventsOptions = { topics, after: undefined, onDrop: ({ code }) => void code };
  for await (const event of farm.events(options)) {
    const { cursor }: Event = event;
    if (event.type === 'chat.said') {
      const id: bigint = event.data.playerId;
      const { status, reason = cursor }: ChatReceipt = await farm.chat.say('Bot', event.data.message + id);
      if (status !== 'delivered') return reason;
    }
    // @ts-expect-error: only where the type says so
    event.data.message;
  }
  // @ts-expect-error: there is no such topic
  farm.events({ topics: ['weather'] });
  try {
    return (await farm.getStatus()).farmName;
  } catch (error) {
    return error instanceof StewardError && error.applied === null ? error.code : 'another';
  }
}
`;

const withASignal = `
const controller = new AbortController();
export const aborted = farm.getStatus({}, { signal: controller.signal });
export const ended = farm.events({ signal: controller.signal });
export const other = steward({ url: 'http://127.0.0.1:8080', fetch });
`;

describe('the package of the client', () => {
  it('holds one module with its types, and what npm shows of it', async () => {
    const { stdout } = await run('tar', ['-tzf', tarball]);
    expect(stdout.trim().split('\n').toSorted()).toEqual([
      'package/LICENSE',
      'package/README.md',
      'package/dist/index.d.ts',
      'package/dist/index.js',
      'package/package.json',
    ]);
    const manifest = JSON.parse(readFileSync(join(made, 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({
      repository: { url: 'git+https://github.com/somebody/steward.git' },
      publishConfig: { access: 'public', provenance: true },
    });
    expect(manifest).not.toHaveProperty('private');
  });

  it('imports nothing, and brings nothing along', () => {
    for (const file of globSync(join(made, 'dist/*')))
      expect(readFileSync(file, 'utf8')).not.toMatch(
        /^(import|export)\b.*\bfrom ['"]|^import ['"]|\bimport\(|\brequire\(/m,
      );
    expect(globSync('node_modules/*', { cwd: installed })).toEqual(['node_modules/@steward']);
  });

  it('declares each name once: two interfaces of one name would be one without a word', () => {
    const declared = readFileSync(join(made, 'dist/index.d.ts'), 'utf8');
    const names = [
      ...declared.matchAll(/^(?:export )?(?:declare )?(?:interface|type|class|function|const) (\w+)/gm),
    ].map(([, name]) => name);
    expect(names).toContain('Farm');
    expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
  });

  it(`is at most ${mostClientBytes} bytes, minified and gzipped`, async () => {
    expect(await clientBytes(made)).toBeLessThanOrEqual(mostClientBytes);
  });

  it('is in order for publint', async () => {
    const { messages } = await publint({ pkgDir: made, level: 'suggestion', strict: true, pack: false });
    expect(messages).toEqual([]);
  });

  it('has the types that it says, however it is imported', async () => {
    const checked = await checkPackage(createPackageFromTarballData(readFileSync(tarball)));
    expect(checked.types).toMatchObject({ kind: 'included' });
    const problems = 'problems' in checked ? checked.problems : [];
    // That it is a module for CommonJS as well is meant: Node requires modules.
    expect(problems.filter(({ kind }) => kind !== 'CJSResolvesToESM')).toEqual([]);
  });
});

describe('in an empty folder it', () => {
  it.each([
    ['with the types of a browser', bot + withASignal, { lib: ['es2022', 'dom'], types: [] }],
    ['with no types but its own', bot, { lib: ['es2022'], types: [] }],
    [
      'for a bundler',
      bot + withASignal,
      { lib: ['es2022', 'dom'], types: [], module: 'esnext', moduleResolution: 'bundler' },
    ],
  ])('compiles %s', async (_what, text, options) => {
    expect(await compile(text, options)).toBe('');
  });

  it('compiles with the types of Node', async () => {
    const typeRoots = [join(root, 'node_modules/@types')];
    expect(await compile(bot + withASignal, { lib: ['es2022'], types: ['node'], typeRoots })).toBe('');
  });

  it('compiles as its page shows it', async () => {
    const shown = readFileSync(join(made, 'README.md'), 'utf8');
    const blocks = [...shown.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, block = '']) => block);
    expect(blocks.length).toBeGreaterThan(2);
    const program = blocks.join('\n');
    expect(
      await compile(program, {
        lib: ['es2022', 'dom'],
        types: [],
        module: 'esnext',
        moduleResolution: 'bundler',
      }),
    ).toBe('');
  });

  it('runs, imported or required', async () => {
    await using server = await startServer();
    const use = `steward({ url: '${server.url}' }).setTime({ value: 600 }).then(({ asked, id }) => console.log(asked, id));`;
    writeFileSync(join(installed, 'bot.js'), `import { steward } from '@steward/client';\n${use}`);
    writeFileSync(join(installed, 'bot.cjs'), `const { steward } = require('@steward/client');\n${use}`);
    for (const file of ['bot.js', 'bot.cjs']) {
      const { stdout } = await run(process.execPath, [join(installed, file)]);
      expect(stdout).toBe('POST /time?value=600 620826087702429092n\n');
    }
  });

  it('runs in a browser', async () => {
    await using server = await startServer();
    await using page = await openPage();
    await page.goto(server.url);
    // As text: what is a function here is made for Node.
    const shown = await page.evaluate(`import('/client.js')
      .then(({ steward }) => steward({ url: location.origin }).setTime({ value: 600 }))
      .then(({ asked, id }) => asked + ' ' + id)`);
    expect(shown).toBe('POST /time?value=600 620826087702429092');
  });
});

/** Answers whatever it is asked, and has a page that may load the client. */
async function startServer() {
  const server = createServer(({ url, method }, answer) => {
    const [type, body] =
      url === '/'
        ? ['text/html', '<!doctype html>']
        : url === '/client.js'
          ? ['text/javascript', readFileSync(join(made, 'dist/index.js'))]
          : [
              'application/json',
              `{"asked":"${method} ${url}","id":620826087702429092,"idStr":"620826087702429092"}`,
            ];
    answer.setHeader('content-type', type).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
