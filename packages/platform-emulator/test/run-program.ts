import { spawnSync } from 'node:child_process';

const mostBytes = 64 << 20;

/** Runs a decoder over bytes and gives what it wrote; its complaint is the error. */
export function through(program: string, args: readonly string[], input: Buffer): Buffer {
  const { status, stdout, stderr, error } = spawnSync(program, args, { input, maxBuffer: mostBytes });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr.toString()}`);
  return stdout;
}
