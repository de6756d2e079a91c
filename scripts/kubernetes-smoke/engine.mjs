import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** Undefined when Podman runs here, as root, with the images. */
export function whyNoEngine(images) {
  const { status, stderr, error } = spawnSync('podman', ['info'], { encoding: 'utf8' });
  if (status !== 0) return `Podman does not run: ${error?.message ?? stderr.trim()}`;
  if (process.getuid() !== 0)
    return 'pods have addresses that this machine reaches where Podman runs as root alone';
  const missing = images.filter((image) => spawnSync('podman', ['image', 'exists', image]).status !== 0);
  if (missing.length === 0) return undefined;
  return `Podman has no ${missing.join(', ')}: build them, or take them over by \`docker save <image> | podman load\``;
}

/** What Podman prints. Nothing else stands still meanwhile: a connection that a server gives up has to be noticed. */
export async function podman(args, { input } = {}) {
  const { status, stdout, stderr } = await tried(args, { input });
  if (status !== 0)
    throw new Error(`podman ${args.join(' ')} failed: exit code ${status}\n${stdout}${stderr}`.trim());
  return stdout.trim();
}

/** The same, for what may fail. */
export async function tried(args, { input = '' } = {}) {
  const child = spawn('podman', args);
  child.stdin.end(input);
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { status, stdout, stderr };
}

export function say(text) {
  console.error(`kubernetes-smoke: ${text}`);
}
