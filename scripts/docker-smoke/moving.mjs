import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../prepare/root.mjs';
import { demo, joinable } from './demo.mjs';
import { say } from './engine.mjs';
import { json } from './until.mjs';

const page = 'docs/moving.md';
const file = 'farm.steward.tar.zst';
const saves = `
  const { createHash } = require('node:crypto');
  const { globSync, readFileSync, statSync } = require('node:fs');
  process.chdir('/data/saves/saves');
  const files = globSync('**').filter((file) => statSync(file).isFile()).sort();
  for (const file of files) console.log(createHash('sha256').update(readFileSync(file)).digest('hex'), file);`;

/** Takes the demo's farm to a machine that has nothing yet, another project, by the very lines that the page tells. */
export async function moves(project, other, { from, to }, directory) {
  const { farmName } = await json(`${from}/status`);
  const { operations } = await json(`${from}/operations?limit=1`);
  project.compose('stop', 'demo');
  // Where JunimoServer runs, what it keeps itself goes along: the demo has none of it.
  const blocks = blocksOf(readFileSync(join(root, page), 'utf8'));
  const [leaving = [], coming = []] = blocks.filter((lines) => !lines.join().includes('_existing-'));
  asTold(project, leaving, directory);
  const there = inVolumes(project, saves);
  // Its setup, and its start, are tried with the real server.
  asTold(
    other,
    coming.filter((line) => line.includes(' server ')),
    directory,
  );
  if (there === '' || inVolumes(other, saves) !== there)
    throw new Error('the saves that arrived are other ones');
  await other.up(['demo'], demo);
  await joinable(to);
  const { farmName: arrived } = await json(`${to}/status`);
  if (arrived !== farmName) throw new Error(`the farm that arrived is ${arrived}, not ${farmName}`);
  const [{ operationId }] = operations;
  if ((await json(`${to}/operations/${operationId}`))?.operationId !== operationId)
    throw new Error(`what the other machine did has not arrived: ${operationId}`);
  say(`${farmName} has moved to another machine, byte for byte and with what it remembers`);
  await project.up(['demo-server', 'demo']);
}

/** What the page tells to type, on the one machine and on the other. */
function blocksOf(text) {
  return [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block.trim().split('\n'));
}

function asTold(project, lines, directory) {
  const command = project
    .command('--profile', 'demo')
    .map((word) => `'${word}'`)
    .join(' ');
  const told = lines
    .join('\n')
    .replaceAll('docker compose ', `${command} `)
    .replaceAll(/ (server|platform-auth)\b/g, ' demo-$1')
    .replaceAll(new RegExp(`([<>]) ${file}`, 'g'), `$1 '${join(directory, file)}'`);
  console.error(`$ ${told}`);
  const { status } = spawnSync('sh', ['-ec', told], {
    cwd: root,
    env: project.env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) throw new Error(`what ${page} tells failed with exit code ${status}`);
}

/** What a command prints over the demo's volumes, while its server is down. */
function inVolumes(project, script) {
  const [program, ...args] = project.command('--profile', 'demo');
  const run = ['run', '--rm', '-T', '--no-deps', '--entrypoint', 'node', 'demo-server', '-e', script];
  const { status, stdout, stderr } = spawnSync(program, [...args, ...run], {
    cwd: root,
    env: project.env,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${script} failed: ${stderr}`);
  return stdout.trim();
}
