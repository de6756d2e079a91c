import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { keyWords } from '../packages/dashboard/src/words.ts';

// What somebody reads in the first quarter of an hour: the README and the quick start.
const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const readme = read('README.md');
const quickStart = read('docs/quick-start.md');
const composeText = read('docker-compose.yml');
const compose: { services: Record<string, { image?: string; profiles?: string[] }> } = parse(composeText, {
  merge: true,
});

it("the README's badges say what is so", () => {
  const { license, engines } = JSON.parse(read('package.json'));
  const shown = [...readme.matchAll(/img\.shields\.io\/badge\/(\w+)-([^-]+)-/g)].map(
    ([, name, value = '']) => [name, decodeURIComponent(value)],
  );
  expect(shown).toEqual([
    ['licence', license],
    ['node', engines.node],
  ]);
  const [, workflow] = /actions\/workflows\/(\w+\.yml)\/badge\.svg/.exec(readme) ?? [];
  expect(read(`.github/workflows/${workflow}`)).toContain('npm test');
});

it('the README begins with what it is and for which game, in a sentence', () => {
  const [, , first = ''] = readme.split('\n');
  expect(first).toMatch(/^\*\*.*Stardew Valley.*\.\*\*/);
});

it('the README sends whoever has something to tell where it says how', () => {
  expect(readme).toContain('[tell us](CONTRIBUTING.md#tell-us)');
  const [, section = ''] = /^## Tell us\n(.*?)^## /ms.exec(read('CONTRIBUTING.md')) ?? [];
  for (const way of ['../../issues/new/choose', ' doctor`', '[SECURITY.md](SECURITY.md)'])
    expect(section).toContain(way);
});

it('the quick start sets variables that the compose file has, and a profile that it has', () => {
  const [, block = ''] = /<<END\n([\s\S]*?)END\n/.exec(quickStart) ?? [];
  const set = Object.fromEntries(
    block
      .trim()
      .split('\n')
      .map((line) => line.trim().split(/=(.*)/).slice(0, 2)),
  );
  const { COMPOSE_PROFILES: profile, ...variables } = set;
  expect(Object.keys(variables).filter((name) => !composeText.includes(`\${${name}`))).toEqual([]);
  // What `latest` was for a long time has no API.
  expect(set.EXISTING_IMAGE).toBe('sdvd/server:preview');
  expect(read('docs/migrating.md')).toContain(set.EXISTING_IMAGE);
  expect(set.EXISTING_URL).toBe(`http://${profile}:8080`);
  expect(compose.services[profile ?? '']?.profiles).toEqual([profile]);
});

it('uninstalling removes the images, which compose keeps with `--rmi local`, as each has a name in the file', () => {
  expect(Object.values(compose.services).every(({ image }) => image !== undefined)).toBe(true);
  expect(read('docs/where-it-runs.md')).toContain('docker compose --profile "*" down --volumes --rmi all\n');
});

it('the quick start quotes what is really said', () => {
  const said = [
    keyWords.wrongTitle,
    ...read('packages/platform-auth/src/session/session-words.ts').split(/['’]/),
    ...composeText.split(/\W{2,}|[/:]/),
  ].join('\n');
  const quoted = [...quickStart.matchAll(/^ *\| (?:“([^”]+)”|`([^`]+)`) .*\|/gm)].map(
    ([, a, b]) => a ?? b ?? '',
  );
  expect(quoted).toHaveLength(3);
  expect(quoted.filter((words) => !said.includes(words))).toEqual([]);
});
