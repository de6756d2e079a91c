/** What stands between the platform's content and this machine. */
export type ContentProblem =
  /** The account has no licence for the app, or for a part of it. */
  | 'not-owned'
  /** The configured branch is unknown, or wants a password. */
  | 'no-such-branch'
  /** No depot of the app is meant for the game's system. */
  | 'nothing-for-this-system'
  /** The platform described its content in a way that cannot be meant. */
  | 'malformed-manifest'
  /** No content server gives the bytes away. */
  | 'unavailable';

/** Content that cannot be had, in words for the operator. They hold no secret. */
export class ContentError extends Error {
  readonly problem: ContentProblem;

  constructor(problem: ContentProblem, message: string) {
    super(message);
    this.name = 'ContentError';
    this.problem = problem;
  }
}
