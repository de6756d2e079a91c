import { type Claim, unless } from './claim.ts';

export interface Step {
  if?: string;
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
  env?: Record<string, string>;
  'continue-on-error'?: unknown;
}

export interface PublishedImage {
  image: string;
  dockerfile: string;
  target?: string;
  suffix?: string;
  /** Whose README is the image's page. */
  package?: string;
  about?: string;
}

export interface Job {
  if?: string;
  needs?: string;
  strategy?: {
    matrix?: { include?: PublishedImage[] };
  };
  permissions?: Record<string, string> | string;
  'timeout-minutes'?: number;
  'continue-on-error'?: unknown;
  steps: Step[];
}

export interface Workflow {
  on: { push?: { branches?: string[]; tags?: string[] }; pull_request?: unknown; schedule?: unknown[] };
  permissions?: Record<string, string> | string;
  concurrency?: { group?: string };
  jobs: Record<string, Job>;
}

export const workflowClaims: Claim<Workflow>[] = [
  {
    says: 'the workflow as a whole may only read',
    problems: ({ permissions }) =>
      unless(
        typeof permissions === 'object' && Object.values(permissions).every((access) => access === 'read'),
        `permissions are ${JSON.stringify(permissions) ?? "the repository's default"}`,
      ),
    breaks: {
      'no permissions': (workflow) => {
        delete workflow.permissions;
      },
      'write-all': (workflow) => {
        workflow.permissions = 'write-all';
      },
      'a write': (workflow) => {
        workflow.permissions = { contents: 'write' };
      },
    },
  },
  {
    says: 'a job that needs more says exactly what',
    problems: ({ jobs }) =>
      Object.entries(jobs).flatMap(([name, { permissions }]) =>
        unless(typeof permissions !== 'string', `${name} has ${permissions}`),
      ),
    breaks: { 'a job with write-all': eachJob((job) => (job.permissions = 'write-all')) },
  },
  {
    says: 'runs that overtake each other are in a concurrency group',
    problems: ({ concurrency }) => unless(Boolean(concurrency?.group), 'there is no concurrency group'),
    breaks: {
      'no group': (workflow) => {
        delete workflow.concurrency;
      },
    },
  },
  {
    says: 'each action is named by its major version, or by the whole digest that the update bot pins it to',
    problems: (workflow) =>
      steps(workflow).flatMap(({ uses }) =>
        unless(uses === undefined || /^[\w.-]+(\/[\w.-]+)+@(v\d+|[0-9a-f]{40})$/.test(uses), `uses ${uses}`),
      ),
    breaks: {
      'half a digest': eachStep((step) => (step.uses = 'actions/checkout@0a1b2c3')),
      'a branch': eachStep((step) => (step.uses = 'actions/checkout@main')),
    },
  },
  {
    says: 'the checkout leaves no token behind',
    problems: (workflow) =>
      steps(workflow)
        .filter(({ uses }) => uses?.startsWith('actions/checkout@') === true)
        .flatMap((step) =>
          unless(step.with?.['persist-credentials'] === false, 'a checkout keeps its token'),
        ),
    breaks: { 'a token': eachStep((step) => delete step.with) },
  },
  {
    says: 'no expression is pasted into a shell script',
    problems: (workflow) =>
      steps(workflow).flatMap(({ run }) => unless(run === undefined || !/\$\{\{/.test(run), `runs ${run}`)),
    breaks: {
      "a pull request's title": eachStep(
        (step) => (step.run = `echo $\{{ github.event.pull_request.title }}`),
      ),
    },
  },
  {
    says: 'no job can run for hours',
    problems: ({ jobs }) =>
      Object.entries(jobs).flatMap(([name, job]) =>
        unless(job['timeout-minutes'] !== undefined, `${name} has no timeout`),
      ),
    breaks: { 'no timeout': eachJob((job) => delete job['timeout-minutes']) },
  },
  {
    says: 'what fails is not passed over',
    problems: ({ jobs }) =>
      Object.entries(jobs).flatMap(([name, job]) =>
        unless(
          [job, ...job.steps].every((each) => each['continue-on-error'] === undefined),
          `${name} goes on after an error`,
        ),
      ),
    breaks: {
      'a job that may fail': eachJob((job) => (job['continue-on-error'] = true)),
      'a step that may fail': eachStep((step) => (step['continue-on-error'] = true)),
    },
  },
];

/** Of a workflow that judges what is about to be merged, and what was. */
export const judgesChanges: Claim<Workflow> = {
  says: 'runs for every pull request and every commit on main',
  problems: ({ on }) => [
    ...unless('pull_request' in on, 'pull requests are not looked at'),
    ...unless(on.push?.branches?.includes('main') === true, 'main is not looked at'),
  ],
  breaks: {
    'main alone': ({ on }) => delete on.pull_request,
    'pull requests alone': ({ on }) => delete on.push,
  },
};

/** Of the same: GitHub takes a job that is skipped for one that has passed. */
export const skipsNothing: Claim<Workflow> = {
  says: 'skips no job and no step',
  problems: ({ jobs }) =>
    Object.entries(jobs).flatMap(([name, job]) =>
      unless(
        [job, ...job.steps].every((each) => each.if === undefined),
        `${name} has a condition`,
      ),
    ),
  breaks: {
    'a job': eachJob((job) => (job.if = 'false')),
    'a step': eachStep((step) => (step.if = 'false')),
  },
};

/** Otherwise the test that compares finds nothing to compare with, and is skipped. */
export function comparesWith(base: string): Claim<Workflow> {
  return {
    says: 'compares what clients rely on with the commit before',
    problems: ({ jobs: { test } }) => [
      ...unless(
        test?.steps.some((step) => step.with?.['fetch-depth'] === 0) === true,
        'no earlier commit is there',
      ),
      ...unless(
        test?.steps.some(({ run, env }) => run === '.ci/run' && env?.['BASE_REF'] === base) === true,
        'the tests do not know which it is',
      ),
    ],
    breaks: {
      'the newest commit alone': eachStep((step) => delete step.with?.['fetch-depth']),
      'none is named': eachStep((step) => delete step.env),
      main: eachStep((step) => (step.env = { BASE_REF: 'main' })),
    },
  };
}

/** What CI must do, whatever other workflows do. */
export const ciClaims: Claim<Workflow>[] = [
  judgesChanges,
  skipsNothing,
  runs('the tests as everybody runs them', '.ci/run'),
  runs('the coverage, which they leave out', 'npm run coverage'),
  comparesWith(`$\{{ github.event.pull_request.base.sha || github.event.before }}`),
  runs('the smoke test, which builds both images and cannot be skipped', 'node scripts/docker-smoke.mjs'),
];

export function runs(what: string, command: string): Claim<Workflow> {
  return {
    says: `runs ${what}`,
    problems: (workflow) =>
      unless(
        steps(workflow).some((step) => step.run === command && step.if === undefined),
        `no step runs ${command}`,
      ),
    breaks: {
      'left out': eachStep((step) => delete step.run),
      softened: eachStep((step) => (step.run = `${step.run} --skip-without-engine || true`)),
      skipped: eachStep((step) => (step.if = 'false')),
    },
  };
}

export function steps({ jobs }: Workflow): Step[] {
  return Object.values(jobs).flatMap((job) => job.steps);
}

export function eachJob(change: (job: Job) => unknown): (workflow: Workflow) => void {
  return ({ jobs }) => Object.values(jobs).forEach(change);
}

export function eachStep(change: (step: Step) => unknown): (workflow: Workflow) => void {
  return (workflow) => steps(workflow).forEach(change);
}
