// Prints what the changelog says of a version, for the release of that name; fails when something is not ready for it:
//   node scripts/release-notes.mjs v1.2.3
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare/root.mjs';
import { notesOf } from './release/notes.mjs';

const [tag = ''] = process.argv.slice(2);
try {
  const version = /^v(\d+\.\d+\.\d+(?:-[\w.]+)?)$/.exec(tag)?.[1];
  if (version === undefined) throw new Error(`"${tag}" is no tag of a release, such as v1.2.3`);
  const others = versions().filter((entry) => entry.version !== version);
  if (others.length > 0)
    throw new Error(
      `these say another version: ${others.map(({ path, version }) => `${path} ${version}`).join(', ')}`,
    );
  process.stdout.write(`${notesOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version)}\n`);
} catch (error) {
  console.error(`release-notes: ${error.message}`);
  process.exit(1);
}

function versions() {
  const packages = readdirSync(join(root, 'packages')).map((name) => join('packages', name, 'package.json'));
  return ['package.json', 'tools/package.json', 'benchmarks/package.json', ...packages].map((path) => ({
    path,
    version: JSON.parse(readFileSync(join(root, path), 'utf8')).version,
  }));
}
