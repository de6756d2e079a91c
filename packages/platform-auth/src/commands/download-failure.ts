import { ContentError, type ContentProblem } from '../download/content-error.ts';
import { DownloadProblem, type ProblemKind } from '../download/problem.ts';
import { notOwned } from '../tickets/not-owned.ts';
import { CommandFailure } from './command-failure.ts';
import { type ExitCodeName, exitCodes } from './exit-codes.ts';

const ofProblem: Readonly<Record<ProblemKind, ExitCodeName>> = {
  disk: 'disk',
  content: 'failure',
  held: 'failure',
};

const ofContent: Readonly<Record<ContentProblem, ExitCodeName>> = {
  'not-owned': 'not-owned',
  'no-such-branch': 'failure',
  'nothing-for-this-system': 'failure',
  'malformed-manifest': 'failure',
  unavailable: 'network',
};

/** What a download met, as a command ends with it; anything else comes back as it is. */
export function downloadFailure(error: unknown): unknown {
  if (error instanceof DownloadProblem) return new CommandFailure(ofProblem[error.kind], error.message);
  if (!(error instanceof ContentError)) return error;
  const how = ofContent[error.problem];
  if (how === 'not-owned') return new CommandFailure(how, `${error.message}. ${notOwned.remedy}`);
  const again = 'What was fetched is kept: run `platform-auth download` to go on';
  const lines =
    how === 'network' ? [`${error.message}. ${exitCodes.network.remedy}`, again] : [error.message];
  return new CommandFailure(how, ...lines);
}
