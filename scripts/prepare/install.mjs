import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mjs';
import { run } from './run.mjs';

// Written last, so an install that was cut off is done again. It names what was installed, which is how
// a second start knows, without asking a registry, that there is nothing to do.
const stampFile = join(root, 'node_modules', '.steward-installed');

/** Installs with the pinned pnpm unless exactly this lockfile is installed already. */
export async function install() {
  const wanted = fingerprint();
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) return;

  rmSync(stampFile, { force: true });
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  console.error(`steward: installing with ${packageManager}`);
  const status = await run(
    'npx',
    ['-y', packageManager, 'install', '--frozen-lockfile', '--reporter=append-only'],
    {
      cwd: root,
      // Everything pnpm says goes to stderr: a command's stdout holds its value and nothing else.
      stdio: ['ignore', process.stderr.fd, 'inherit'],
      // Without a terminal pnpm asks before it replaces node_modules; CI answers yes.
      env: { ...process.env, CI: 'true', npm_config_loglevel: 'error' },
    },
  ).catch(({ message }) => {
    throw new Error(`npx could not be started (${message}); npm comes with Node, is it installed?`);
  });
  if (status !== 0)
    throw new Error('the install failed; the reason is above. Fix it and run the command again.');
  writeFileSync(stampFile, wanted);
}

function fingerprint() {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}\n`);
  for (const file of manifests()) hash.update(readFileSync(join(root, file))).update('\0');
  return hash.digest('hex');
}

function manifests() {
  const packages = readdirSync(join(root, 'packages')).map((name) => join('packages', name, 'package.json'));
  const all = [
    'pnpm-lock.yaml',
    'pnpm-workspace.yaml',
    'package.json',
    'benchmarks/package.json',
    'tools/package.json',
    ...packages.sort(),
  ];
  return all.filter((file) => existsSync(join(root, file)));
}
