import { execFileSync } from 'node:child_process';

/** By default Node gives up at one MiB, and the largest document has more. */
const mostBytes = 64 * 1024 * 1024;

/** In a container of CI the checkout belongs to another user, and git would refuse all of it. */
const anyOwner = ['-c', 'safe.directory=*'];

/** What CI names as the commit before the first one of a branch or tag. */
const nothing = /^0*$/;

/**
 * The commit to compare with: where HEAD left `named`, or main if none is named; on that itself, and where there is no main, the commit
 * before. Undefined where the checkout does not have it. Throws where it was named and is not there: a comparison that CI asks for is
 * never left out.
 */
export function commitBefore(root: string, named = ''): string | undefined {
  const isNamed = !nothing.test(named);
  const left = isNamed
    ? found(root, 'merge-base', 'HEAD', named)
    : (found(root, 'merge-base', 'HEAD', 'main') ?? found(root, 'merge-base', 'HEAD', 'origin/main'));
  if (left === undefined && isNamed)
    throw new Error(`BASE_REF is ${named}, and git finds no such commit: check out the whole history`);
  if (left !== undefined && left !== found(root, 'rev-parse', 'HEAD')) return left;
  return found(root, 'rev-parse', '--verify', '--quiet', 'HEAD~1');
}

/** A file as it was in a commit. */
export function fileIn(root: string, commit: string, path: string): string {
  return git(root, 'show', `${commit}:${path}`);
}

/** Undefined where git finds nothing, or there is no git. */
function found(root: string, ...args: readonly string[]): string | undefined {
  try {
    return git(root, ...args).trim();
  } catch {
    return undefined;
  }
}

/** What git itself sets for its hooks, and for a command between two commits of a rebase, names another repository than `root`. */
export function withoutGit(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('GIT_')));
}

function git(root: string, ...args: readonly string[]): string {
  return execFileSync('git', [...anyOwner, ...args], {
    cwd: root,
    env: withoutGit(process.env),
    encoding: 'utf8',
    maxBuffer: mostBytes,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}
