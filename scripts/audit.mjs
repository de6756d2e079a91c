// `npm run audit`: asks the registry whether any package of the lockfile has a known vulnerability, what is only built with included.
// Not every registry knows; where it does not, that is said, and is no failure. Arguments go to pnpm.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { verdictOf } from './audit/verdict.mjs';
import { root } from './prepare/root.mjs';

const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const asked = ['-y', packageManager, 'audit', '--json', ...process.argv.slice(2)];
const { kind, lines } = verdictOf(spawnSync('npx', asked, { cwd: root, encoding: 'utf8' }));

// A step that is green and has looked at nothing is seen in the summary of the run.
const warning = process.env.GITHUB_ACTIONS === 'true' ? '::warning title=Not audited::' : '';

switch (kind) {
  case 'clean':
    console.log('audit: the registry knows no vulnerability of any package in the lockfile');
    break;
  case 'unanswered':
    console.log(`${warning}audit: NOT AUDITED, as the registry did not answer:\n${lines.join('\n')}`);
    break;
  case 'vulnerable':
    console.error(`audit: ${lines.length} known:\n${lines.join('\n')}`);
    console.error(
      'Update it. What does not concern us goes into pnpm-workspace.yaml, auditConfig, with the reason',
    );
    process.exit(1);
    break;
  default:
    console.error(`audit: it could not be done:\n${lines.join('\n')}`);
    process.exit(1);
}
