import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { freePort } from '@steward/testing/free-port';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it, onTestFinished, vi } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));
const { scripts }: { scripts: Record<string, string> } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);

/** The stack lets its farm finish its start and its save. */
const goneWithinMs = 60_000;

const startsWithinMs = 60_000;

interface Started {
  readonly end: (signal: NodeJS.Signals) => void;
  readonly exited: Promise<unknown[]>;
  /** Waits for a line of its output. */
  readonly line: (pattern: RegExp) => Promise<void>;
  /** Every process that came of it, whoever is its parent now. */
  readonly processes: () => number[];
}

/** What a person or a supervisor starts; its processes carry a mark in their environment. */
function start(file: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}): Started {
  const mark = randomUUID();
  const child = spawn(file, args, {
    cwd: root,
    // PATH is what is handed on everywhere: to a game, and to what a test starts.
    env: { HOME: process.env['HOME'], PATH: `${process.env['PATH']}:/${mark}`, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => lines.push(line));
  const others = new Set<number>();
  const processes = () => processesWith(mark, others);
  onTestFinished(() => {
    for (const pid of processes()) process.kill(pid, 'SIGKILL');
  });
  return {
    end: (signal) => child.kill(signal),
    exited,
    line: (pattern) =>
      vi.waitFor(() => expect(lines.join('\n')).toMatch(pattern), { timeout: goneWithinMs, interval: 100 }),
    processes,
  };
}

/** Those of `others` are known to have no mark: what was read of a process once is so until it ends. */
function processesWith(mark: string, others: Set<number>): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    if (others.has(pid)) return false;
    const environment = ofProcess(pid, 'environ');
    const isMarked = environment.includes(mark);
    // Of one that is only just becoming another program there is nothing to read yet.
    if (environment !== '' && !isMarked) others.add(pid);
    return isMarked;
  });
}

function ofProcess(pid: number, file: 'environ' | 'cmdline'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    // It has ended meanwhile, or is another user's.
    return '';
  }
}

async function expectGone({ processes }: Started): Promise<void> {
  await vi.waitFor(() => expect(processes()).toEqual([]), { timeout: goneWithinMs, interval: 100 });
}

function ownDirectory(): string {
  const directory = temporaryDirectory();
  onTestFinished(() => directory[Symbol.dispose]());
  return directory.path;
}

/** Scripts that run until they are told to end, and the line by which they are seen to run. */
const running = [
  {
    script: 'control-api',
    environment: (place: string) => ({
      API_HOST: '127.0.0.1',
      API_PORT: '0',
      STATE_DIR: place,
      SETTINGS_PATH: join(place, 'server-settings.json'),
      PLATFORM_AUTH_URL: '',
    }),
    line: /listening on/,
  },
  {
    script: 'platform-auth',
    environment: (place: string) => ({ HOST: '127.0.0.1', PORT: '0', SESSION_DIR: place, GAME_DIR: place }),
    line: /listening on/,
  },
  {
    script: 'simulated-farm',
    environment: (place: string) => ({
      FARM_BRIDGE: `unix:${join(place, 'game.sock')}`,
      FARM_SAVES_DIR: join(place, 'saves'),
      FARM_CONTROL: join(place, 'farm.sock'),
    }),
    line: /the farm is open/,
  },
  { script: 'platform-emulator', environment: () => ({}), line: /platform emulator is up/ },
  { script: 'discord-double', environment: () => ({}), line: /double is up/ },
];

it.each(running)('npm run $script ends with its npm', async ({ script, environment, line }) => {
  const npm = start('npm', ['run', script], environment(ownDirectory()));
  await npm.line(line);
  npm.end('SIGTERM');
  await npm.exited;
  await expectGone(npm);
});

it.each(['SIGTERM', 'SIGKILL'] as const)('npm start ends with its npm on %s', async (signal) => {
  const names = ['API_PORT', 'PORT', 'DASHBOARD_PORT'];
  const ports = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, String(await freePort())] as const)),
  );
  const npm = start('npm', ['start', '--', '--state', ownDirectory()], ports);
  await npm.line(/Steward is up/);
  npm.end(signal);
  await npm.exited;
  await expectGone(npm);
});

/** In a whole run of the tests what a benchmark measures is bundled already. */
const { STEWARD_SHIPPED } = process.env;

const starting = [
  { args: ['test', '--', 'packages/local-stack/test/start.test.ts'], starts: 'local-stack/src/main.ts' },
  {
    args: ['run', 'test:watch', '--', 'packages/local-stack/test/start.test.ts'],
    starts: 'local-stack/src/main.ts',
  },
  {
    args: ['run', 'bench', '--', 'health'],
    environment: { STEWARD_SHIPPED },
    starts: 'benchmarks/src/http/',
  },
];

const patience = { timeout: startsWithinMs + 2 * goneWithinMs };

it.each(starting)(
  'npm $args ends with its npm, and so does what it starts',
  patience,
  async ({ args, environment, starts }) => {
    const npm = start('npm', args, environment);
    await vi.waitFor(() => expect(commandsOf(npm.processes())).toContain(starts), {
      timeout: startsWithinMs,
      interval: 100,
    });
    const rooms = roomsOf(npm.processes());
    npm.end('SIGTERM');
    await npm.exited;
    await expectGone(npm);
    expect(rooms.length > 0).toBe(args[0] === 'test');
    expect(rooms.filter((room) => existsSync(room))).toEqual([]);
  },
);

/** Where `npm test` has everything written: memory, which nobody would miss and everybody needs. */
function roomsOf(pids: readonly number[]): readonly string[] {
  return pids.flatMap((pid) => /(?<=\0TMPDIR=)[^\0]*\/st-\w+/.exec(ofProcess(pid, 'environ')) ?? []);
}

function commandsOf(pids: readonly number[]): string {
  return pids.map((pid) => ofProcess(pid, 'cmdline')).join('\n');
}

const runModule = JSON.stringify(new URL('scripts/prepare/run.mjs', `file://${root}`).href);

it('what prepares a script ends with the shell that npm has put between', async () => {
  const long = join(ownDirectory(), 'long.mjs');
  writeFileSync(
    long,
    `import { run } from ${runModule};
     console.log('runs');
     await run('sh', ['-c', 'sleep 600; true'], { stdio: 'ignore' });`,
  );
  const shell = start('sh', ['-c', `node ${long} && true`]);
  await shell.line(/runs/);
  shell.end('SIGTERM');
  await shell.exited;
  await expectGone(shell);
});

it('a script fails whose program was killed, as the kernel kills what takes too much memory', async () => {
  const script = join(ownDirectory(), 'killed.mjs');
  writeFileSync(
    script,
    `import { run } from ${runModule};
     process.exit(await run('sh', ['-c', 'kill -KILL $$'], { stdio: 'ignore' }));`,
  );
  expect(await start('node', [script]).exited).toEqual([1, null]);
});

it.each(Object.entries(scripts))('%s leaves no shell between npm and its program', (_name, script) => {
  expect(script).toMatch(/^(?:node scripts\/prepare\.mjs && )?exec [^;&|]+$/);
});
