import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { CommandsInTurn } from '@steward/service-kit/test/commands/commands-in-turn';
import { freePort } from '@steward/testing/free-port';
import { inherited, Program, programFile, programOptions } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { afterAll, describe, expect, it } from 'vitest';

const entry = 'packages/control-api/src/main.ts';
const commands = new CommandsInTurn('packages/control-api/src/program.ts');
afterAll(() => commands[Symbol.asyncDispose]());
const since = '2026-11-21T00:00:00.000Z';
const healthy = JSON.stringify({
  status: 'ok',
  timestamp: since,
  pendingActions: 0,
  tickCount: 0,
  game: { status: 'waiting', since },
  isFrozen: true,
});
const secretForm = /^stw_[\w-]{43}$/;

/** A farm's environment, as its compose file has it: the service and whatever command is given beside it have the same. */
async function farm() {
  const state = temporaryDirectory();
  const env = {
    API_HOST: '127.0.0.1',
    API_PORT: String(await freePort()),
    API_KEY: 'the-owner',
    STATE_DIR: join(state.path, 'state'),
    SETTINGS_PATH: join(state.path, 'server-settings.json'),
    PLATFORM_AUTH_URL: '',
  };
  mkdirSync(env.STATE_DIR);
  const status = async (key: string) => {
    const headers = { authorization: `Bearer ${key}` };
    return (await fetch(`http://127.0.0.1:${env.API_PORT}/operations`, { headers })).status;
  };
  return { env, status, [Symbol.dispose]: () => state[Symbol.dispose]() };
}

function command(env: NodeJS.ProcessEnv, ...args: string[]) {
  return commands.run(args, env);
}

/** In a process of its own, as people run it: with something to read, or with what a process reads as it starts. */
async function commandAlone(input: string | undefined, env: NodeJS.ProcessEnv, ...args: string[]) {
  await using program = new Program(entry, args, env, input === undefined ? {} : { input });
  const { code } = await program.exited;
  return { code, stdout: program.stdout, stderr: program.stderr };
}

async function service(env: NodeJS.ProcessEnv): Promise<Program> {
  const running = new Program(entry, ['serve'], env);
  await running.line(env['API_ENABLED'] === 'false' ? /API_ENABLED is false/ : /listening on/);
  return running;
}

/** Something else than the service at a port of its own. */
async function listener(answers: RequestListener) {
  const server = createServer(answers).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { port: String(port), [Symbol.dispose]: () => void server.close() };
}

const ok = { code: 0, stderr: [] };

describe('the commands for keys', () => {
  it('make, list, rotate and revoke keys of the service that runs, at once', async () => {
    using place = await farm();
    const { env, status } = place;
    await using _running = await service(env);
    const made = await command(
      env,
      'keys',
      'create',
      '--name',
      'status page',
      '--scopes',
      'read',
      '--expires=30d',
    );
    expect(made).toEqual({
      code: 0,
      // Alone, for `> file` and `$(…)`.
      stdout: [expect.stringMatching(secretForm)],
      stderr: ['status page has a key. It is shown only once'],
    });
    const [secret = ''] = made.stdout;
    expect(await status(secret)).toBe(200);
    const { stdout: lines } = await command(env, 'keys', 'list');
    expect(lines[0]).toMatch(/^NAME +ID +SCOPES +STATE +LAST USED +EXPIRES$/);
    expect(lines[1]).toMatch(/^status page +key_\w+ +read +active +2\S+Z +2\S+Z$/);
    expect(lines).toHaveLength(2);

    const rotated = await command(
      env,
      'keys',
      'rotate',
      '--name',
      'Status Page',
      '--grace-seconds=0',
      '--json',
    );
    expect(rotated).toMatchObject(ok);
    const { secret: second } = JSON.parse(rotated.stdout.join(''));
    expect(second).toMatch(secretForm);
    expect([await status(secret), await status(second)]).toEqual([401, 200]);

    expect(await command(env, 'keys', 'revoke', '--name', 'status page')).toEqual({
      ...ok,
      stdout: ['The key of status page no longer works'],
    });
    expect(await status(second)).toBe(401);
    expect(await command(env, 'keys', 'list')).toEqual({
      ...ok,
      stdout: ['There are no keys except API_KEY'],
    });
    const { stdout: all } = await command(env, 'keys', 'list', '--ended');
    expect(all[1]).toContain('revoked');
  });

  it('do the same where no service runs, and what they did is so when one does', async () => {
    using place = await farm();
    const { env, status } = place;
    const made = await commandAlone(undefined, env, 'keys', 'create', '--name=Robin', '--scopes=read,chat');
    expect(made.code).toBe(0);
    const [secret = ''] = made.stdout;
    expect(secret).toMatch(secretForm);
    await using _running = await service(env);
    expect(await status(secret)).toBe(200);
  });

  it('say nothing of the game where no service runs: they have none that could stop', async () => {
    using place = await farm();
    const { env } = place;
    expect((await command(env, 'keys', 'create', '--name=Robin', '--scopes=read')).code).toBe(0);
    await using _running = await service(env);
    const headers = { authorization: `Bearer ${env.API_KEY}` };
    const answer = await fetch(`http://127.0.0.1:${env.API_PORT}/events?topics=game`, { headers });
    const { events } = (await answer.json()) as { readonly events: readonly { readonly type: string }[] };
    expect(events.map(({ type }) => type)).toEqual(['game.waiting']);
  });

  it('say in the words of the API what is wrong, and end with 1', async () => {
    using place = await farm();
    const { env } = place;
    const refused = await command(env, 'keys', 'create', '--name=Robin', '--scopes=fly');
    expect(refused).toMatchObject({ code: 1, stdout: [] });
    expect(refused.stderr.join()).toMatch(/^control-api: scopes .*"fly".*read, chat.*\(invalid-parameter\)$/);
    const { API_KEY: _key, ...open } = env;
    const unkeyed = await command(open, 'keys', 'create', '--name=Robin', '--scopes=read');
    expect(unkeyed).toMatchObject({ code: 1, stdout: [] });
    expect(unkeyed.stderr.join()).toMatch(/^control-api: API_KEY is not set.*\(keys-need-api-key\)$/);
  });

  it('say that their API_KEY is not that of the service', async () => {
    using place = await farm();
    const { env } = place;
    await using _running = await service(env);
    const refused = await command({ ...env, API_KEY: 'another' }, 'keys', 'list');
    expect(refused).toMatchObject({ code: 1, stdout: [] });
    expect(refused.stderr.join()).toMatch(/give this command the API_KEY of the running service$/);
  });

  it('make no STATE_DIR, in which nobody would look for what they keep', async () => {
    using place = await farm();
    const { env } = place;
    const STATE_DIR = `${env.STATE_DIR}/elsewhere`;
    const refused = await command({ ...env, STATE_DIR }, 'keys', 'create', '--name=a', '--scopes=read');
    expect(refused).toMatchObject({ code: 1, stdout: [] });
    expect(refused.stderr).toEqual([
      `control-api: STATE_DIR: ${STATE_DIR} does not exist: give this command the STATE_DIR of the service`,
      expect.stringMatching(/^control-api: Nor does a service answer here: nobody answers at/),
    ]);
    expect(existsSync(STATE_DIR)).toBe(false);
  });

  it.each([
    ['list', [], /no longer answers.*it may be stopping, or starting again$/],
    ['revoke', ['--name=a'], /no longer answers.*check whether it was done before you send it again$/],
  ])('say in one line that the service went away while they asked it: %s', async (name, options, words) => {
    using place = await farm();
    using going = await listener(({ url, socket }, response) => {
      if (url === '/health') response.end(healthy);
      else socket.destroy();
    });
    const refused = await command({ ...place.env, API_PORT: going.port }, 'keys', name, ...options);
    expect(refused).toEqual({ code: 1, stdout: [], stderr: [expect.stringMatching(words)] });
  });

  it('ask the service itself, whatever proxies the environment names', async () => {
    using place = await farm();
    const { env } = place;
    const heard: unknown[] = [];
    using proxy = await listener(({ url, headers: { authorization } }, response) => {
      heard.push([url, authorization]);
      response.end();
    });
    await using _running = await service(env);
    const proxies = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: `http://127.0.0.1:${proxy.port}` };
    expect(await commandAlone(undefined, { ...env, ...proxies }, 'keys', 'list')).toMatchObject(ok);
    expect(heard).toEqual([]);
  });

  it.each([
    [
      'which listens elsewhere',
      async () => ({}),
      async () => ({ API_PORT: String(await freePort()) }),
      /nobody answers at/,
    ],
    [
      'which does not listen',
      async () => ({ API_ENABLED: 'false' }),
      async () => ({}),
      /API_ENABLED is false/,
    ],
  ])('change nothing beside a service %s, and say which process it is', async (_how, its, ours, why) => {
    using place = await farm();
    const { env } = place;
    const forBoth = await its();
    await using running = await service({ ...env, ...forBoth });
    const refused = await command(
      { ...env, ...forBoth, ...(await ours()) },
      'keys',
      'create',
      '--name=a',
      '--scopes=read',
    );
    expect(refused).toMatchObject({ code: 1, stdout: [] });
    const [inUse, answers] = refused.stderr;
    expect(inUse).toContain(`is in use by \`control-api serve\``);
    expect(inUse).toContain(`process ${running.pid}`);
    expect(answers).toMatch(why);
  });
});

describe('the audit', () => {
  it('is told a line each, the oldest first, where no service runs, too', async () => {
    using place = await farm();
    const { env } = place;
    await command(env, 'keys', 'create', '--name=Robin', '--scopes=read');
    await command(env, 'keys', 'revoke', '--name=Robin');
    const told = await commandAlone(undefined, env, 'audit');
    expect(told).toMatchObject(ok);
    expect(told.stdout).toEqual([
      expect.stringMatching(
        /^2\S+Z {2}owner {2}applied {2}createKey: {2}key made {2}name="Robin" {2}scopes=/,
      ),
      expect.stringMatching(/^2\S+Z {2}owner {2}applied {2}revokeKey: {2}key revoked {2}name="Robin"$/),
    ]);
    expect(told.stderr).toEqual([]);
    const [made = '', revoked = ''] = told.stdout;
    for (const [from, shown, rest] of [
      [[], revoked, made],
      [['--after=0'], made, revoked],
    ] as const) {
      const page = await command(env, 'audit', '--limit=1', ...from);
      expect(page.stdout).toEqual([shown]);
      const [hint] = page.stderr;
      const [, option = '', number = ''] = /--limit prints up to 1000, (--\w+) (\d+) /.exec(hint ?? '') ?? [];
      expect(hint).toMatch(/^There may be more lines than these 1: /);
      expect((await command(env, 'audit', option, number)).stdout).toEqual([rest]);
    }
    const { stdout: json } = await command(env, 'audit', '--action=revokeKey', '--json');
    expect(json.map((line) => JSON.parse(line))).toMatchObject([
      { actor: 'owner', action: 'revokeKey', outcome: 'applied' },
    ]);
  });

  it('tells of one wrong key as of one', async () => {
    using place = await farm();
    const { env, status } = place;
    await using _running = await service(env);
    expect(await status('wrong')).toBe(401);
    // It is written behind the answer.
    await expect
      .poll(async () => (await command(env, 'audit')).stdout)
      .toEqual([expect.stringMatching(/nobody {2}denied {2}authenticate: {2}wrong key$/)]);
  });

  it('is followed over restarts of the service, each line once', async () => {
    using place = await farm();
    const { env } = place;
    let running = await service(env);
    await command(env, 'keys', 'create', '--name=first', '--scopes=read');
    await using following = new Program(entry, ['audit', '--follow'], env);
    await following.line(/name="first"/);
    await command(env, 'keys', 'create', '--name=second', '--scopes=read');
    await following.line(/name="second"/);
    running.kill('SIGTERM');
    await running.exited;
    running = await service(env);
    await using _running = running;
    await command(env, 'keys', 'create', '--name=third', '--scopes=read');
    await following.line(/name="third"/);
    expect(following.stdout).toHaveLength(3);
    expect(following.stderr).toEqual([]);
    following.kill('SIGTERM');
  });

  it('is followed from the time that was asked for, though nothing has been done since', async () => {
    using place = await farm();
    const { env } = place;
    await using running = await service(env);
    await command(env, 'keys', 'create', '--name=before', '--scopes=read');
    const now = new Date(Date.now() + 1).toISOString();
    await using following = new Program(entry, ['audit', '--follow', `--after=${now}`], env);
    await running.line(/GET \/audit/, { number: 2 });
    await command(env, 'keys', 'create', '--name=after', '--scopes=read');
    await following.line(/name="after"/);
    expect(following.stdout).toEqual([expect.stringContaining('name="after"')]);
  });

  it('is followed to no end', async () => {
    using place = await farm();
    const refused = await command(place.env, 'audit', '--follow', '--before=7');
    expect(refused).toEqual({
      code: 2,
      stdout: [],
      stderr: ['control-api: audit --follow shows new lines: leave out --before'],
    });
  });

  it('cannot be followed where no service runs, which waiting for it would keep from starting', async () => {
    using place = await farm();
    const refused = await command(place.env, 'audit', '--follow');
    expect(refused).toMatchObject({ code: 1, stdout: [] });
    expect(refused.stderr.join()).toMatch(/^control-api: No service runs here: nobody answers at/);
  });
});

describe('the commands for webhooks', () => {
  const about = ['--name', 'our channel', '--topics', 'players,farm'];

  it('make one from a URL that no command line has, and list, test, resume and delete it', async () => {
    using place = await farm();
    let status = 404;
    using receiver = await listener((_request, response) => response.writeHead(status).end());
    const env = { ...place.env, WEBHOOK_ALLOW: '127.0.0.1' };
    await using _running = await service(env);
    const url = `http://127.0.0.1:${receiver.port}/canary-jackdaw`;
    const made = await commandAlone(`${url}\n`, env, 'webhooks', 'create', ...about);
    expect(made).toMatchObject({ code: 0, stdout: [expect.stringMatching(/^whsec_[\w+/=]{44}$/)] });
    expect(made.stderr.at(-1)).toMatch(/^our channel sends events to 127\.0\.0\.1:\d+ .* shown only once$/);
    const { stdout: lines } = await command(env, 'webhooks', 'list');
    expect(lines[1]).toMatch(
      /^our channel +hook_\w+ +standard +players,farm +127\.0\.0\.1:\d+…kdaw +active +never +0/,
    );
    const tested = await command(env, 'webhooks', 'test', '--name', 'our channel');
    expect(tested.stdout).toEqual([`127.0.0.1:${receiver.port} did not accept the message: it answered 404`]);
    expect(tested.code).toBe(1);
    expect((await command(env, 'webhooks', 'test', '--json', '--name', 'our channel')).code).toBe(1);
    status = 204;
    expect((await command(env, 'webhooks', 'test', '--name', 'our channel')).code).toBe(0);
    expect((await command(env, 'webhooks', 'deliveries')).stdout).toEqual(['There are no deliveries']);
    for (const step of ['resume', 'delete'])
      expect((await command(env, 'webhooks', step, '--name', 'our channel')).code).toBe(0);
    const { stdout: none } = await command(env, 'webhooks', 'list');
    expect(none).toEqual(['There are no webhooks']);
    const said = JSON.stringify([made, lines, tested]);
    expect(said).not.toContain('jackdaw');
  });

  it('do not show a URL that is typed, and do not stop at Ctrl-Z, after which the terminal would show it', async () => {
    using place = await farm();
    const url = 'http://127.0.0.1:9/canary-jackdaw';
    const program = [process.execPath, ...programOptions(entry), programFile(entry)];
    const words = [...program, 'webhooks', 'create', ...about].map((word) => `'${word}'`);
    // With job control, as a shell that people type in: it would go on where the program stops.
    const line = `bash -mc '"$@"; echo "ended with $?"' bash ${words.join(' ')}`;
    const env = { ...inherited(), ...place.env, WEBHOOK_ALLOW: '127.0.0.1' };
    const terminal = spawn('script', ['-qec', line, '/dev/null'], {
      env,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let shown = '';
    for await (const text of terminal.stdout) {
      const isAsked = shown.includes('(not shown): ');
      shown += text;
      if (!isAsked && shown.includes('(not shown): ')) terminal.stdin.write(`\u001a${url}\r`);
    }
    expect(shown).toMatch(/whsec_[\s\S]*ended with 0/);
    expect(shown).not.toContain('jackdaw');
  });

  it('say so where there is no URL, or it is an argument', async () => {
    using place = await farm();
    const { env } = place;
    const empty = await commandAlone('\n', env, 'webhooks', 'create', ...about);
    expect(empty.code).toBe(2);
    expect(empty.stderr.join('\n')).toContain(
      'url is a secret and is read from standard input, which is empty',
    );
    const shown = await command(env, 'webhooks', 'create', '--url', 'https://hooks.example', ...about);
    expect(shown.code).toBe(2);
    expect(shown.stderr.join('\n')).toContain('--url');
  });
});

describe('the commands for bans', () => {
  it.each(['running', 'alone'])(
    'take a list in, first on trial, and list and lift bans: %s',
    async (how) => {
      using place = await farm();
      const { env } = place;
      await using _running = how === 'running' ? await service(env) : undefined;
      const file = join(env.STATE_DIR, '..', 'banned.txt');
      writeFileSync(file, '76561198000000001 // somebody\n198.51.100.7\n10.0.0.1\nRob\u009bin\n');
      const trial = await commandAlone(undefined, env, 'bans', 'import', file, '--dry-run');
      expect(trial).toMatchObject({
        code: 1,
        stdout: ['2 would be added, 0 already on the list, 0 already over'],
      });
      expect(trial.stderr).toEqual(
        expect.arrayContaining([
          'line 4 has no id or address: "Robin"',
          expect.stringMatching(/^row 3 is left out: 10\.0\.0\.1 is a private address/),
        ]),
      );
      expect(await command(env, 'bans', 'list')).toMatchObject({ stdout: ['Nobody is banned'] });
      const done = await command(env, 'bans', 'import', file, '--force');
      expect(done.stdout).toEqual(['3 added, 0 already on the list, 0 already over']);
      expect((await command(env, 'bans', 'import', file, '--force')).stdout).toEqual([
        '0 added, 3 already on the list, 0 already over',
      ]);
      const { stdout: lines } = await command(env, 'bans', 'list');
      expect(lines).toHaveLength(4);
      expect(lines[1]).toMatch(/^row_\w+ +76561198000000001 +for good$/);
      expect(await command(env, 'bans', 'remove', '--address=10.0.0.1')).toMatchObject(ok);
      expect(await command(env, 'allowlist', 'add', '--identity', '5')).toMatchObject(ok);
      expect((await command(env, 'allowlist', 'list')).stdout).toHaveLength(2);
    },
    60_000,
  );

  it('print with --json every digit of an id, and so does the audit', async () => {
    using place = await farm();
    const { env } = place;
    const ann = '620826087702429092';
    const file = join(env.STATE_DIR, '..', 'banned.json');
    writeFileSync(file, JSON.stringify({ bans: [{ playerId: ann, playerName: 'Ann' }] }));
    expect(await command(env, 'bans', 'import', file)).toMatchObject(ok);
    const row = `"playerId":${ann},"playerIdStr":"${ann}"`;
    const listed = await command(env, 'bans', 'list', '--json');
    expect(listed).toMatchObject({ ...ok, stdout: [expect.stringContaining(row)] });
    const lifted = await command(env, 'bans', 'remove', '--player-id', ann, '--json');
    expect(lifted).toMatchObject({ ...ok, stdout: [expect.stringContaining(row)] });
    const { stdout: lines } = await command(env, 'audit', '--action=removeBan', '--json');
    expect(lines).toEqual([expect.stringContaining(`"subject":{"id":${ann},"idStr":"${ann}"`)]);
  });

  it('say what is wrong with a file', async () => {
    using place = await farm();
    const empty = join(place.env.STATE_DIR, '..', 'empty.txt');
    writeFileSync(empty, '# nobody yet\n');
    for (const [file, words] of [
      [empty, /has no entry for the list bans/],
      [`${empty}.not`, /cannot be read \(ENOENT\)/],
    ] as const) {
      const { code, stderr } = await command(place.env, 'bans', 'import', file);
      expect([code, stderr.join('\n')]).toEqual([1, expect.stringMatching(words)]);
    }
  });
});

it('backup list says how much is free on a disk of more bytes than numbers count exactly', async () => {
  using place = await farm();
  const answer = JSON.stringify({ backups: [], unreadable: [], bytes: 0, freeBytes: 2 ** 64, rule: '7d' });
  using beside = await listener(({ url }, response) => response.end(url === '/health' ? healthy : answer));
  const listed = await command({ ...place.env, API_PORT: beside.port }, 'backup', 'list');
  expect(listed).toEqual({
    code: 0,
    stdout: ['There are no backups'],
    stderr: ['They use 0 B; 18446744 TB are free'],
  });
});

it('a schedule is run by a service alone: one for the command would end with it', async () => {
  using system = await farm();
  expect(await command(system.env, 'schedules', 'run', '--name', 'nightly')).toMatchObject({
    code: 1,
    stderr: [expect.stringContaining('No service runs here')],
  });
});

it('drain begins one and tells its operation, drain cancel ends it; without a service there is nothing to be done', async () => {
  using system = await farm();
  const alone = await command(system.env, 'drain', '--when', 'empty');
  expect(alone).toMatchObject({ code: 1, stderr: [expect.stringContaining('No service runs here')] });
  await using running = await service(system.env);
  const { code, stdout, stderr } = await commandAlone(
    undefined,
    system.env,
    'drain',
    '--when',
    'empty',
    '--restart',
  );
  expect({ code, stdout, stderr }).toEqual({
    code: 0,
    stdout: [expect.stringMatching(/^\d+$/)],
    stderr: [expect.stringMatching(/^The drain has started: GET \/operations/)],
  });
  await running.line(/drain: waiting/);
  expect(await command(system.env, 'drain', '--when', 'now')).toMatchObject({
    code: 1,
    stderr: [expect.stringContaining('(drain-under-way)')],
  });
  expect(await command(system.env, 'drain', 'cancel')).toMatchObject({
    code: 0,
    stdout: ['The drain is cancelled: players can join again'],
  });
});
