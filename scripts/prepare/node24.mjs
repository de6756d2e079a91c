import { spawnSync } from 'node:child_process';

const needed = [24, 12];

/** The systems for which Node 24 is among our own packages; its build wants glibc. */
const packaged = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch) && hasGlibc();

/** Before anything is installed: says so where what will be installed could never run. */
export function requireSomeNode24() {
  if (!packaged && !isEnough(process.versions.node)) throw new Error(tooOld(`v${process.versions.node}`));
}

/** npm puts node_modules/.bin first on PATH: `node` there is Node 24 where it is packaged, the system's elsewhere. */
export function requireNode24() {
  const { stdout } = spawnSync('node', ['--version'], { encoding: 'utf8' });
  const version = stdout?.trim() ?? '';
  if (!isEnough(version.replace('v', ''))) throw new Error(tooOld(version || 'none'));
}

function isEnough(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > needed[0] || (major === needed[0] && minor >= needed[1]);
}

function tooOld(version) {
  return (
    `Steward runs on Node ${needed.join('.')} or newer, and this machine has ${version}. ` +
    'On Linux x64 and arm64 with glibc one is among the packages, and every npm script finds it; ' +
    'elsewhere install it from nodejs.org.'
  );
}

function hasGlibc() {
  // Its look at the network can take seconds.
  process.report.excludeNetwork = true;
  return process.report.getReport().header.glibcVersionRuntime !== undefined;
}
