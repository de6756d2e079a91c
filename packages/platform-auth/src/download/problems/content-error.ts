import { DownloadProblem } from './problem.ts';

const problems = {
  /** The account has no licence for the app, or for a part of it. */
  'not-owned': 'Log in with an account that owns it: `platform-auth login`',
  /** The branch is unknown, or wants a password. */
  'no-such-branch': 'Set PLATFORM_BRANCH to one that there is, or leave it out',
  /** No depot of the app is meant for the game's system. */
  'nothing-for-this-system': 'Check PLATFORM_BRANCH, and try again later',
  /** The platform described its content in a way that cannot be meant. */
  'malformed-manifest': 'Nothing was written. Try again later; if it stays, check PLATFORM_PROXY',
  /** No content server gives the bytes away. */
  unavailable:
    'Run the download again: it goes on where it stopped. If it stays, check the network and PLATFORM_PROXY',
} as const;

/** Content that cannot be had. */
export class ContentError extends DownloadProblem {
  readonly problem: keyof typeof problems;

  constructor(problem: keyof typeof problems, reason: string, remedy: string = problems[problem]) {
    super('content', reason, remedy);
    this.name = 'ContentError';
    this.problem = problem;
  }
}
