import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { run } from '../prepare/run.mjs';

// What the tests use beside Node: the program whose presence is looked for, and the package that brings it.
const needed = [
  { program: '/usr/bin/curl', package: 'curl', why: 'the API is used as people use it' },
  { program: '/usr/bin/jq', package: 'jq', why: 'the script of docs/events.md is run' },
  { program: '/usr/bin/wget', package: 'wget', why: 'every write is sent by it, too' },
  { program: '/usr/bin/caddy', package: 'caddy', why: 'streams of events come through it, too' },
  { program: '/usr/sbin/nginx', package: 'nginx', why: 'every write is sent through it, too' },
  {
    program: '/usr/lib/python3/dist-packages/requests',
    package: 'python3-requests',
    why: "every write is sent by Python's clients, too",
  },
  {
    program: '/usr/bin/chromium-headless-shell',
    package: 'chromium-headless-shell',
    why: 'the page and /docs are looked at in a real browser',
  },
  { program: '/usr/bin/xz', package: 'xz-utils', why: 'VZ chunks are decoded by a second program' },
  { program: '/usr/bin/zstd', package: 'zstd', why: 'zstd chunks are decoded by a second program' },
  { program: '/usr/bin/gcc', package: 'gcc', why: 'what makes a disk slow or full is built' },
  { program: '/usr/include/dlfcn.h', package: 'libc6-dev', why: 'it is built against the C library' },
  { program: '/usr/bin/unzip', package: 'unzip', why: 'zip chunks are decoded by a second program' },
  {
    program: '/usr/bin/bsdtar',
    package: 'libarchive-tools',
    why: 'backups are unpacked by a second tar',
  },
  { program: '/usr/bin/openssl', package: 'openssl', why: 'chunks are decrypted by a second program' },
  {
    program: '/usr/bin/promtool',
    package: 'prometheus',
    why: "alert rules and the dashboard's queries are checked",
  },
  {
    program: '/usr/lib/python3/dist-packages/websockets',
    package: 'python3-websockets',
    why: 'the Python bot of docs/chat-bots.md is run',
  },
];

/** What Debian's packages ask whether they may start what they bring. */
const policy = '/usr/sbin/policy-rc.d';

/** The names of those that are missing; where only somebody else can install them, says which and ends. */
export function debianPackagesToInstall() {
  const missing = needed.filter(({ program }) => !existsSync(program));
  const names = missing.map((entry) => entry.package);
  const canInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (missing.length === 0 || canInstall) return names;
  const reasons = missing.map((entry) => `${entry.package} (${entry.why})`).join(', ');
  throw new Error(`the tests need ${reasons}: apt-get install ${names.join(' ')}`);
}

/** `whenStopped` as `run` takes it. */
export async function installDebianPackages(names, whenStopped) {
  if (names.length === 0) return;
  console.error(`steward: installing ${names.join(' ')} for the tests`);
  await apt(['update', '-qq'], whenStopped);
  const mayStart = allowNoDaemons();
  const stopped = () => {
    mayStart();
    whenStopped();
  };
  try {
    await apt(['install', '-y', '-qq', '--no-install-recommends', ...names], stopped);
  } finally {
    mayStart();
  }
}

/** The tests start what they need; of nginx and Prometheus nobody wants a service on this machine. Returns what takes that back. */
function allowNoDaemons() {
  if (existsSync(policy)) return () => {};
  writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  return () => rmSync(policy, { force: true });
}

async function apt(options, whenStopped) {
  const status = await run('apt-get', options, {
    // The packages' chatter says nothing about the tests; apt's errors do.
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    whenStopped,
  });
  if (status !== 0) throw new Error(`apt-get ${options.join(' ')} failed`);
}
