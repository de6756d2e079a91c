import { type Claim, unless } from './claim.ts';
import { eachStep, judgesChanges, skipsNothing, steps, type Workflow } from './workflow-claims.ts';

export const looksAgain: Claim<Workflow> = {
  says: 'looks again when nothing has changed here, but what is known of mistakes has',
  problems: ({ on }) => unless((on.schedule?.length ?? 0) > 0, 'it has no schedule'),
  breaks: { 'changes alone': ({ on }) => delete on.schedule },
};

export const codeqlClaims: Claim<Workflow>[] = [
  judgesChanges,
  skipsNothing,
  looksAgain,
  {
    says: 'analyses the sources and the workflows',
    problems: (workflow) => [
      ...unless(
        uses(workflow, 'init').some(
          ({ with: options }) => options?.['languages'] === 'javascript-typescript, actions',
        ),
        'it does not look at both',
      ),
      ...unless(uses(workflow, 'analyze').length > 0, 'it analyses nothing'),
    ],
    breaks: {
      'another language': eachStep((step) => (step.with = { languages: 'python' })),
      'the beginning alone': eachStep(
        (step) => (step.uses = step.uses?.replace('analyze', 'autobuild') ?? ''),
      ),
    },
  },
];

function uses(workflow: Workflow, part: string) {
  return steps(workflow).filter(
    ({ uses: action }) => action?.startsWith(`github/codeql-action/${part}@`) === true,
  );
}
