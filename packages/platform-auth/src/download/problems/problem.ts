import { forTerminal } from '@steward/service-kit/text/terminal';
import { type MendableTrouble, troubleText } from '@steward/shared/problems/trouble';

/** Whose business it is: the disk's, the platform's content's, another downloader's, or the machine's. */
export type ProblemKind = 'disk' | 'content' | 'held' | 'machine';

/** Why a download cannot go on, in words for the operator; nothing in them is secret. */
export class DownloadProblem extends Error implements MendableTrouble {
  readonly kind: ProblemKind;
  readonly reason: string;
  /** The one thing that mends it. */
  readonly remedy: string;

  constructor(kind: ProblemKind, reason: string, remedy: string, options?: ErrorOptions) {
    super(troubleText({ reason, remedy }), options);
    this.name = 'DownloadProblem';
    this.kind = kind;
    this.reason = reason;
    this.remedy = remedy;
  }
}

/** A manifest that must not be followed. Nothing has been written when this is thrown. */
export function hostileManifest(name: string, what: string): DownloadProblem {
  return new DownloadProblem(
    'content',
    `The platform's list of files is not safe to follow: ${shown(name)} ${what}`,
    'Nothing was written. Try again later; if this happens again, check PLATFORM_PROXY and PLATFORM_BRANCH, and report it',
  );
}

const longestShown = 120;

/** A name from outside as it may stand in a message: on one line, and not longer than a line. */
export function shown(name: string): string {
  const text = forTerminal(JSON.stringify(name));
  return text.length <= longestShown ? text : `${text.slice(0, longestShown)}…"`;
}

const problems = {
  /** The account has no licence for the app, or for a part of it. */
  'not-owned': 'Log in with an account that owns it: `platform-auth login`',
  /** The branch is unknown, or wants a password. */
  'no-such-branch': 'Set PLATFORM_BRANCH to an existing branch, or leave it out',
  /** No depot of the app is meant for the game's system. */
  'nothing-for-this-system': 'Check PLATFORM_BRANCH, and try again later',
  /** The platform described its content in a way that cannot be meant. */
  'malformed-manifest': 'Nothing was written. Try again later; if this happens again, check PLATFORM_PROXY',
  /** No content server gives the bytes away. */
  unavailable:
    'Run the download again: it continues where it stopped. If this happens again, check the network and PLATFORM_PROXY',
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
