import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Bill } from '../sbom/bill.ts';
import { makeBills, released } from './bills.ts';

it('lays a bill of each thing that is released into a folder, which the schema of CycloneDX has nothing against', async () => {
  using place = temporaryDirectory();
  await makeBills(place.path, { 'steward-mcp': released['steward-mcp'] });
  const names = readdirSync(place.path).toSorted();
  expect(names).toEqual(['steward-bridge-conformance.cdx.json', 'steward-mcp.cdx.json']);
  const strict = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
  for (const name of names) {
    const text = readFileSync(join(place.path, name), 'utf8');
    expect(await strict.validate(text)).toBeNull();
    const { components }: Bill = JSON.parse(text);
    expect(components).toContainEqual(expect.objectContaining({ name: 'zod' }));
    // What is around a service, Node and parts of Debian, is known only where its image is built.
    expect(components.filter(({ purl }) => purl?.startsWith('pkg:npm/') !== true)).toEqual([]);
  }
});

it('there is one of every image that is released', () => {
  const workflow = readFileSync(new URL('../../.github/workflows/release.yml', import.meta.url), 'utf8');
  const rows: { image: string; package: string }[] = parse(workflow).jobs.images.strategy.matrix.include;
  expect(released).toEqual(Object.fromEntries(rows.map(({ image, package: service }) => [image, service])));
});

it.each(['operators', 'security'])(
  'docs/%s.md says what is left out of the bills of a release, and of the one in the image on full Debian',
  (name) => {
    const page = readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8');
    const [told = ''] = /sbom\.cdx\.json.*?full Debian.*/s.exec(page) ?? [];
    expect(told).toMatch(/^.* Node, and its parts of Debian\b.*lists in a release have only the packages\b/);
    expect(told).toMatch(/full Debian\b.*\bdpkg\b.* -l\b/);
  },
);
