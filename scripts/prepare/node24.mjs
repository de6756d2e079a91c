import { spawnSync } from 'node:child_process';

const needed = [24, 12];

/** npm puts node_modules/.bin first on PATH: `node` there is Node 24 on Linux x64 and arm64, the system's elsewhere. */
export function requireNode24() {
  const { stdout } = spawnSync('node', ['--version'], { encoding: 'utf8' });
  const version = stdout?.trim() ?? '';
  const [major = 0, minor = 0] = version.replace('v', '').split('.').map(Number);
  if (major > needed[0] || (major === needed[0] && minor >= needed[1])) return;
  throw new Error(
    `Steward runs on Node ${needed.join('.')} or newer, and this machine has ${version || 'none'}. ` +
      'On Linux x64 and arm64 one is among the packages, and every npm script finds it; elsewhere install it from nodejs.org.',
  );
}
