import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';

const page = readFileSync(new URL('../docs/operators.md', import.meta.url), 'utf8');
const [, commands = ''] = /To remove it with all its data:\n\n```sh\n([\s\S]*?)```/.exec(page) ?? [];

/** What docker is told to remove in a folder of this name, where the project is called otherwise, and has these volumes. */
function removedBy(volumes: readonly string[], folder = 'My Farm!', project = 'myfarm'): string | undefined {
  using directory = temporaryDirectory();
  const [here, removed] = [join(directory.path, folder), join(directory.path, 'removed')];
  mkdirSync(here);
  const docker = `#!/bin/sh
case "$*" in
  "compose --profile demo ps --all --quiet demo-server") echo c0ffee ;;
  "inspect "*com.docker.compose.project*" c0ffee") echo ${project} ;;
  "volume ls --quiet --filter name=^${project}_demo-") printf '%s\\n' ${volumes.join(' ')} | grep . ;;
  "volume rm"*) echo "$*" >> '${removed}' ;;
esac
`;
  writeFileSync(join(directory.path, 'docker'), docker, { mode: 0o755 });
  const PATH = `${directory.path}:${process.env['PATH']}`;
  const { stderr } = spawnSync('sh', ['-c', commands], { cwd: here, env: { PATH }, encoding: 'utf8' });
  expect(stderr).toBe('');
  return existsSync(removed) ? readFileSync(removed, 'utf8') : undefined;
}

it('the demo’s volumes are removed by the name that compose gives the project, which is not that of its folder', () => {
  expect(removedBy(['myfarm_demo-state', 'myfarm_demo-game'])).toBe(
    'volume rm myfarm_demo-state myfarm_demo-game\n',
  );
});

it('nothing is removed where the demo has no volumes', () => {
  expect(removedBy([])).toBeUndefined();
});
