import type { Claim } from './claim.ts';
import { looksAgain } from './codeql-claims.ts';
import { judgesChanges, runs, skipsNothing, type Workflow } from './workflow-claims.ts';

export const auditClaims: Claim<Workflow>[] = [
  judgesChanges,
  skipsNothing,
  looksAgain,
  runs('what asks for known vulnerabilities', 'npm run audit'),
];
