import { say } from './engine.mjs';
import { until } from './until.mjs';

// Docker would kill a container that is still there after ten.
const stopsWithinMs = 5_000;
const backWithinMs = 30_000;

/** A service that takes SIGTERM for an answer leaves in order and soon. */
export function stopsInOrder(project, service) {
  const begun = performance.now();
  project.compose('stop', service);
  const took = performance.now() - begun;
  const code = project.inspect(service, '{{.State.ExitCode}}');
  say(`${service} stopped in ${(took / 1000).toFixed(1)} s with exit code ${code}`);
  if (code !== '0' || took > stopsWithinMs) throw new Error(`${service} does not stop as it should`);
}

/** Kills what runs in a container; `docker kill` would count as an operator's wish, after which nothing comes back. */
export async function comesBack(project, service) {
  const before = Number(project.inspect(service, '{{.RestartCount}}'));
  try {
    project.inside(service, 'sh', '-c', 'kill -9 -1');
  } catch {
    // The shell may go down with its container.
  }
  await until(`${service} is started again`, backWithinMs, () => {
    return Number(project.inspect(service, '{{.RestartCount}}')) > before;
  });
  await project.healthy(service);
}
