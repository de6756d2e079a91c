import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../prepare/root.mjs';
import { say } from './engine.mjs';

const page = 'docs/upgrades.md';
const backup = 'steward-backup.tar';
const settings = '/data/settings/server-settings.json';
const since = '/data/state/since.json';

/** Makes a backup and puts it back, by the very lines that the page tells. */
export async function backsUp(project, directory) {
  const lines = readFileSync(join(root, page), 'utf8').split('\n');
  const [save, restore] = ['> ', '< '].map((way) => lines.find((line) => line.endsWith(`${way}${backup}`)));
  const kept = project.inside('server', 'cat', settings);
  project.compose('stop', 'server');
  asTold(project, save, directory);
  await project.up(['server']);
  project.inside('server', 'sh', '-c', `echo '{}' > ${settings}; echo '{}' > ${since}`);
  project.compose('stop', 'server');
  asTold(project, restore, directory);
  await project.up(['server']);
  if (project.inside('server', 'cat', settings) !== kept)
    throw new Error('the backup did not bring the settings back');
  project.inside('server', 'sh', '-c', `test ! -e ${since}`);
  say('a backup brings back what was there, and nothing that came since');
}

function asTold(project, line, directory) {
  if (line === undefined) throw new Error(`${page} tells nothing of ${backup} any more`);
  const command = project
    .command()
    .map((word) => `'${word}'`)
    .join(' ');
  const told = line
    .replaceAll('docker compose ', `${command} `)
    .replaceAll(backup, `'${join(directory, backup)}'`);
  console.error(`$ ${told}`);
  const { status } = spawnSync('sh', ['-c', told], {
    cwd: root,
    env: project.env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) throw new Error(`${line} failed with exit code ${status}`);
}
