import { readFileSync } from 'node:fs';
import { Program } from '@steward/testing/program';
import { describe, expect, it } from 'vitest';
import { generatedFiles } from './generated-files.ts';

const root = new URL('../../', import.meta.url);
const files = await generatedFiles();

describe('a committed file that is made from code', () => {
  it.each([...files.keys()])('%s is what the code makes; if not, run npm run generate', (path) => {
    expect(readFileSync(new URL(path, root), 'utf8')).toBe(files.get(path));
  });

  it.each([...files.keys()])(
    '%s has no place before words of its line, which would show as they are written',
    (path) => {
      expect(files.get(path)).not.toMatch(/^<!-- generated: [^>]+ -->./m);
    },
  );
});

describe('the configuration page', () => {
  it.each(['control-api', 'platform-auth'])('names every variable that %s --help names', async (service) => {
    await using program = new Program(`packages/${service}/src/main.ts`, ['--help']);
    await program.exited;
    const environment = program.stdout.join('\n').split('Environment:\n')[1] ?? '';
    const names = [...environment.matchAll(/^ {2}([A-Z_]+) /gm)].map(([, name = '']) => name);
    expect(names).not.toEqual([]);
    for (const name of names) {
      expect(files.get('docs/configuration.md')).toContain(`\`${name}\``);
      expect(files.get('.env.example')).toContain(`#${name}=`);
    }
  });
});
