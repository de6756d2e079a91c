import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = new URL('..', import.meta.url);
const script = fileURLToPath(new URL('scripts/release-notes.mjs', root));
const { version }: { version: string } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));

const notesFor = (tag: string) => spawnSync(process.execPath, [script, tag], { encoding: 'utf8' });

it.each(['', '1.2.3', 'v1.2', 'preview', 'v1.2.3; rm -rf /'])('takes %j for no release', (tag) => {
  expect(notesFor(tag)).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('no tag') });
});

it('releases nothing under a version that the packages do not have', () => {
  expect(notesFor('v99.0.0')).toMatchObject({
    status: 1,
    stdout: '',
    stderr: expect.stringContaining(`package.json ${version}`),
  });
});

it('releases nothing that the changelog does not speak of', () => {
  const changelog = readFileSync(new URL('CHANGELOG.md', root), 'utf8');
  const written = changelog.includes(`\n## ${version}`);
  expect(notesFor(`v${version}`).status).toBe(written ? 0 : 1);
});

it('prints the section of the version and no other', async () => {
  const { notesOf } = await import(new URL('scripts/release/notes.mjs', root).href);
  const changelog =
    '# Changelog\n\n## Unreleased\n\n- new\n\n## 0.2.0 (2026-12-01)\n\n- two\n\n## 0.1.0\n\n- one\n';
  expect(notesOf(changelog, '0.2.0')).toBe('- two');
  expect(notesOf(changelog, '0.1.0')).toBe('- one');
  expect(() => notesOf(changelog, '0.2')).toThrow('no section');
  expect(() => notesOf('## 0.2.0\n\n## 0.1.0\n- x', '0.2.0')).toThrow('empty');
});
