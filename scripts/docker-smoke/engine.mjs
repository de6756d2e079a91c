import { spawnSync } from 'node:child_process';
import { basename } from 'node:path';
import { root } from '../prepare/root.mjs';

/** Undefined when a Docker engine answers. */
export function whyNoEngine() {
  const { status, stderr, error } = spawnSync('docker', ['info'], { encoding: 'utf8' });
  if (status === 0) return undefined;
  return `no Docker engine answers: ${error?.message ?? stderr.trim()}`;
}

/** Runs a command whose output is for whoever watches. */
export function run([program, ...args], env = process.env) {
  const line = [program, ...args].join(' ');
  console.error(`$ ${line}`);
  const { status, error } = spawnSync(program, args, {
    cwd: root,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) throw new Error(`${line} failed: ${error?.message ?? `exit code ${status}`}`);
}

/** Runs a command for what it prints. */
export function output(program, args) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  // Whose answer is no, such as a player who may not join, says why on its output.
  const why = () => error?.message ?? `exit code ${status}: ${[stderr, stdout].join(' ').trim()}`;
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${why()}`);
  return stdout.trim();
}

export function say(text) {
  console.error(`${basename(process.argv[1], '.mjs')}: ${text}`);
}
