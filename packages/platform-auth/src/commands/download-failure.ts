import { ContentError, DownloadProblem, type ProblemKind } from '../download/problems/problem.ts';
import { CommandFailure } from './run/command-failure.ts';
import type { ExitCodeName } from './run/exit-codes.ts';

const ofProblem: Readonly<Record<ProblemKind, ExitCodeName>> = {
  disk: 'disk',
  content: 'failure',
  held: 'failure',
  machine: 'failure',
};

const ofContent: Readonly<Record<ContentError['problem'], ExitCodeName>> = {
  'not-owned': 'not-owned',
  'no-such-branch': 'failure',
  'nothing-for-this-system': 'failure',
  'malformed-manifest': 'failure',
  unavailable: 'network',
};

/** What a download met, as a command ends with it; anything else comes back as it is. */
export function downloadFailure(error: unknown): unknown {
  if (!(error instanceof DownloadProblem)) return error;
  const how = error instanceof ContentError ? ofContent[error.problem] : ofProblem[error.kind];
  return new CommandFailure(how, error.message);
}
