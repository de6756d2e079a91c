import { spawnSync } from 'node:child_process';
import { inherited, programFile, asMortal as startedAsMortal } from '@steward/testing/program';

/** Runs a command of the service. Who is root on this machine is not there: a mode counts for them, too. */
export function asMortal(env: Record<string, string>, ...args: string[]) {
  const own = [programFile('packages/control-api/src/main.ts'), ...args];
  const [program, given] = startedAsMortal(process.execPath, own);
  const { status: code, stderr } = spawnSync(program, given, {
    env: { ...inherited(), ...env },
    encoding: 'utf8',
  });
  return { code, stderr };
}
