import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { billName, billOf, billText } from '../sbom/bill.ts';
import { manifestOf, shippedPackages } from '../sbom/shipped-packages.ts';
import { oneModule, publishable, root } from './npm-package.ts';
import { licences } from './third-party.ts';

const program = 'dist/main.js';

/** What a report sends an author to, and what code is generated from. */
const files = ['docs/game-bridge.md', 'docs/bridge-schema.json'];

/** Makes what is published as `@steward/bridge-conformance`: a command for `npx`, which needs nothing but Node. */
export async function conformancePackage(
  directory: string,
  repository = process.env['GITHUB_REPOSITORY'],
): Promise<void> {
  const found = new Set<string>();
  await oneModule(
    {
      input: join(root, 'packages/bridge-conformance/src/main.ts'),
      platform: 'node',
      resolve: { conditionNames: ['node', 'default'] },
      plugins: [licences(found)],
    },
    { file: join(directory, program), banner: '#!/usr/bin/env node', comments: false },
  );
  const bill = billOf(manifestOf(join(root, 'packages/bridge-conformance')), shippedPackages(found));
  writeFileSync(join(directory, 'dist', billName), billText(bill));
  chmodSync(join(directory, program), 0o755);
  publishable('bridge-conformance', directory, {
    repository,
    manifest: { bin: { 'bridge-conformance': program }, exports: { './package.json': './package.json' } },
    files,
  });
}
