import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { describe, expect, it, vi } from 'vitest';
import { commitBefore, fileIn, withoutGit } from './commit-before.ts';

const settings = ['user.name=Ann', 'user.email=ann@example.com', 'commit.gpgsign=false'];

/** A repository with an empty main. */
function repository() {
  const directory = temporaryDirectory();
  const git = (...args: readonly string[]): string =>
    execFileSync('git', [...settings.flatMap((setting) => ['-c', setting]), ...args], {
      cwd: directory.path,
      env: withoutGit(process.env),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
  git('init', '--initial-branch=main');
  let commits = 0;
  return {
    root: directory.path,
    git,
    /** Returns its name, which is another each time. */
    commit(): string {
      commits += 1;
      git('commit', '--allow-empty', `--message=${commits}`);
      return git('rev-parse', 'HEAD');
    },
    [Symbol.dispose]: () => directory[Symbol.dispose](),
  };
}

describe.runIf(spawnSync('git', ['--version']).status === 0)('the commit that is compared with', () => {
  it('is where a branch left main, however far both have gone since', () => {
    using made = repository();
    const { root, git, commit } = made;
    commit();
    const left = commit();
    git('switch', '--create', 'work');
    commit();
    commit();
    git('switch', 'main');
    commit();
    git('switch', 'work');
    expect(commitBefore(root)).toBe(left);
  });

  it('is the one before on main itself, and in a checkout of one of its commits', () => {
    using made = repository();
    const { root, git, commit } = made;
    const first = commit();
    const second = commit();
    commit();
    expect(commitBefore(root)).toBe(second);
    git('switch', '--detach', second);
    expect(commitBefore(root)).toBe(first);
  });

  it('is what CI names, and with nothing but zeros as if it named none', () => {
    using made = repository();
    const { root, commit } = made;
    const first = commit();
    const second = commit();
    const third = commit();
    expect(commitBefore(root, first)).toBe(first);
    expect(commitBefore(root, third)).toBe(second);
    expect(commitBefore(root, '0'.repeat(40))).toBe(second);
    expect(commitBefore(root, '')).toBe(second);
  });

  it('is none where the checkout has none, unless CI names one', () => {
    using made = repository();
    const { root, git, commit } = made;
    expect(commitBefore(root)).toBeUndefined();
    commit();
    expect(commitBefore(root)).toBeUndefined();
    git('branch', '--move', 'elsewhere');
    expect(() => commitBefore(root, 'main')).toThrow('BASE_REF is main, and git finds no such commit');
  });

  it('is where origin has main in a checkout of a tag, and the one before where nothing is called main', () => {
    using made = repository();
    const { root, git, commit } = made;
    const left = commit();
    git('update-ref', 'refs/remotes/origin/main', left);
    const before = commit();
    commit();
    git('branch', '--move', 'elsewhere');
    expect(commitBefore(root)).toBe(left);
    git('update-ref', '-d', 'refs/remotes/origin/main');
    expect(commitBefore(root)).toBe(before);
  });

  it('is of that repository also where git itself runs the tests of another', () => {
    using made = repository();
    using other = repository();
    const before = made.commit();
    made.commit();
    vi.stubEnv('GIT_DIR', join(other.root, '.git'));
    try {
      expect(commitBefore(made.root)).toBe(before);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('has its documents, however long they are', () => {
    using made = repository();
    const { root, git, commit } = made;
    const long = `${'x'.repeat(3 * 1024 * 1024)}\n`;
    writeFileSync(join(root, 'long.json'), long);
    git('add', 'long.json');
    const written = commit();
    expect(fileIn(root, written, 'long.json') === long).toBe(true);
    expect(() => fileIn(root, written, 'other.json')).toThrow(/show/);
  });
});
