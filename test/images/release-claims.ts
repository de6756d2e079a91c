import { type Claim, unless } from './claim.ts';
import { comparesWith, eachJob, eachStep, type Job, runs, steps, type Workflow } from './workflow-claims.ts';

/** The demo's stand-ins are no part of a release: the demo builds them from the checkout. */
const published = {
  'steward-server': 'Dockerfile.server',
  'steward-server:-debian': 'Dockerfile.server debian',
  'steward-platform-auth': 'Dockerfile.sidecar',
  'steward-discord-bot': 'Dockerfile.discord',
  'steward-mcp': 'Dockerfile.mcp',
};

const previewFromMain = 'type=raw,value=preview,enable={{is_default_branch}}';

const ofTag = "startsWith(github.ref, 'refs/tags/v')";
const checksTag = 'node scripts/release-notes.mjs "$GITHUB_REF_NAME"';

export const releaseClaims: Claim<Workflow>[] = [
  runs('the tests before anything is published', '.ci/run'),
  comparesWith(`$\{{ github.event.before }}`),
  {
    says: 'publishes what people run and no stand-in, for both processors, and the server on Debian as well',
    problems: (workflow) => [
      ...unless(
        JSON.stringify(imagesOf(workflow)) === JSON.stringify(published),
        `it publishes ${Object.keys(imagesOf(workflow))}`,
      ),
      ...unless(
        publishing(workflow).every(
          ({ with: options }) => options?.['platforms'] === 'linux/amd64,linux/arm64',
        ),
        'a processor is left out',
      ),
      ...unless(publishing(workflow).length === 1, 'nothing is pushed'),
      ...unless(
        publishing(workflow).every(({ with: options }) => options?.['target'] === `$\{{ matrix.target }}`) &&
          steps(workflow).some(({ with: options }) =>
            String(options?.['flavor']).startsWith(`suffix=$\{{ matrix.suffix }},`),
          ),
        'rows are built or called as others are',
      ),
    ],
    breaks: {
      'the demo as well': eachJob((job) =>
        job.strategy?.matrix?.include?.push({ image: 'steward-demo-farm', dockerfile: 'Dockerfile.demo' }),
      ),
      'two images by one name': eachJob((job) => {
        for (const row of job.strategy?.matrix?.include ?? []) delete row.suffix;
      }),
      'another stage than the row names': eachStep((step) => delete step.with?.['target']),
      'one processor': eachStep((step) => (step.with = { ...step.with, platforms: 'linux/amd64' })),
      'built and kept': eachStep((step) => (step.with = { ...step.with, push: false })),
    },
  },
  {
    says: 'makes preview of every commit on main, and versions of tags',
    problems: (workflow) => [
      ...unless(workflow.on.push?.branches?.join() === 'main', 'main makes nothing'),
      ...unless(workflow.on.push?.tags?.join() === 'v*', 'tags make nothing'),
      ...unless(
        tagRules(workflow).includes(previewFromMain),
        'nothing is called preview, or not by main alone',
      ),
      ...unless(tagRules(workflow).includes('type=semver,pattern={{version}}'), 'no tag makes a version'),
    ],
    breaks: {
      'tags alone': ({ on }) => delete on.push?.branches,
      'main alone': ({ on }) => delete on.push?.tags,
      'a preview of any branch': eachStep((step) => {
        if (typeof step.with?.['tags'] === 'string') step.with['tags'] = 'type=raw,value=preview';
      }),
    },
  },
  {
    says: 'publishes nothing that has not passed the tests, and releases nothing whose images are not there',
    problems: ({ jobs: { test, images, release } }) => [
      ...unless(images?.needs === 'test' && test !== undefined, 'images wait for no test'),
      ...unless(images?.if === undefined, 'images come whatever the tests say'),
      ...unless(release?.needs === 'images', 'a release waits for no image'),
      ...unless(release?.if === ofTag, 'a release is of no tag'),
    ],
    breaks: {
      'all at once': eachJob((job: Job) => delete job.needs),
      always: eachJob((job) => delete job.if),
      'also what failed': ({ jobs: { images } }) => {
        if (images !== undefined) images.if = 'always()';
      },
    },
  },
  {
    says: "looks whether every version is the tag's, and the changelog speaks of it, before anything is published",
    problems: ({ jobs: { test } }) =>
      unless(
        test?.steps.some((step) => step.run === checksTag && step.if === ofTag) === true,
        'a tag is published before it is checked',
      ),
    breaks: {
      'only afterwards': ({ jobs: { test } }) => {
        if (test !== undefined) test.steps = test.steps.filter(({ run }) => run !== checksTag);
      },
      'where there is no tag': eachStep((step) => delete step.if),
    },
  },
  {
    says: 'publishes the client of a tag, behind the images, known to npm by what it is and by no token',
    problems: ({ jobs: { client } }) => [
      ...unless(client?.needs === 'images', 'the client waits for no image'),
      ...unless(client?.if === ofTag, 'the client is of no tag'),
      ...unless(
        JSON.stringify(client?.permissions) === '{"contents":"read","id-token":"write"}',
        'npm cannot tell who publishes, or it may do more',
      ),
      ...unless(!JSON.stringify(client).includes('secrets.'), 'it knows a secret'),
      ...unless(
        client?.steps.some(({ with: options }) => Number(options?.['node-version']) >= 24) === true,
        'the npm of an older Node needs a token',
      ),
    ],
    breaks: {
      'all at once': eachJob((job) => delete job.needs),
      always: eachJob((job) => delete job.if),
      'nobody is known': eachJob((job) => delete job.permissions),
      'an older Node': eachStep((step) => (step.with = { 'node-version': 22 })),
      'a token': eachStep((step) => (step.with = { token: `$\{{ secrets.NPM_TOKEN }}` })),
    },
  },
  runs('what makes the package of the client', 'npm run bundle -- client client-package'),
  runs('what publishes it, unless npm has it', publishes('@steward/client', 'client-package')),
  runs('what makes the package of the check', 'npm run bundle -- bridge-conformance conformance-package'),
  runs(
    'what publishes that, unless npm has it',
    publishes('@steward/bridge-conformance', 'conformance-package'),
  ),
  {
    says: 'tells the registry what each image is, as its Dockerfile says it, and where its page is',
    problems: (workflow) =>
      publishing(workflow).flatMap(({ with: options }) => {
        const [labels, annotations] = [String(options?.['labels']), String(options?.['annotations'])];
        return [
          ...unless(labels.includes(`/packages/$\{{ matrix.package }}/README.md\n`), 'no page is named'),
          ...unless(
            !labels.includes('outputs.labels'),
            "the repository's words stand in place of the image's",
          ),
          ...unless(
            annotations.includes(`index:org.opencontainers.image.description=$\{{ matrix.about }}\n`),
            'the index has no description',
          ),
        ];
      }),
    breaks: {
      'what the action makes': eachStep(
        (step) => (step.with = { ...step.with, labels: `$\{{ steps.names.outputs.labels }}` }),
      ),
      'no description': eachStep((step) => delete step.with?.['annotations']),
    },
  },
  runs('what makes the bills of materials', 'npm run bundle -- bills bills'),
  runs(
    'what publishes them with the words',
    'gh release create "$GITHUB_REF_NAME" --verify-tag --prerelease --title "$GITHUB_REF_NAME" --notes-file notes.md bills/*.cdx.json',
  ),
  runs("the changelog's words through the check that every version is the tag's", `${checksTag} > notes.md`),
];

function publishes(name: string, folder: string): string {
  const version = `$(npm view "${name}@$\{GITHUB_REF_NAME#v}" version 2>/dev/null)`;
  return `test -n "${version}" || npm publish ./${folder} --tag "$DIST_TAG"`;
}

function imagesOf({ jobs }: Workflow): Record<string, string> {
  const rows = Object.values(jobs).flatMap(({ strategy }) => strategy?.matrix?.include ?? []);
  return Object.fromEntries(
    rows.map(({ image, dockerfile, target, suffix }) => [
      suffix === undefined ? image : `${image}:${suffix}`,
      target === undefined ? dockerfile : `${dockerfile} ${target}`,
    ]),
  );
}

function publishing(workflow: Workflow) {
  return steps(workflow).filter(
    ({ uses, with: options }) =>
      uses?.startsWith('docker/build-push-action@') === true && options?.['push'] === true,
  );
}

function tagRules(workflow: Workflow): string[] {
  return steps(workflow)
    .filter(({ uses }) => uses?.startsWith('docker/metadata-action@') === true)
    .flatMap(({ with: options }) => String(options?.['tags']).trim().split('\n'));
}
