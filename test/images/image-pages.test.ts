import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Workflow } from './workflow-claims.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const { jobs }: Workflow = parse(read('.github/workflows/release.yml'));
const images = Object.values(jobs).flatMap(({ strategy }) => strategy?.matrix?.include ?? []);

it('finds the images that are published', () => {
  expect(images.length).toBeGreaterThan(4);
});

it.each(images)('the page of $image$suffix tells its name, its ports and its volumes', (row) => {
  const dockerfile = read(row.dockerfile);
  const page = read(`packages/${row.package}/README.md`);
  expect(page).toMatch(new RegExp(`^# ${row.image}\n`));
  expect(page).toContain(`docker run --rm ghcr.io/<owner>/${row.image}:preview --help\n`);
  const [, ports = ''] = /^EXPOSE (.+)$/m.exec(dockerfile) ?? [];
  for (const port of ports.split(' ')) expect(page).toContain(`${port}`);
  const volumes = [...dockerfile.matchAll(/\/volumes\/([a-z-]+)/g)].map(([, name]) => `\`/data/${name}\``);
  expect(volumes.filter((volume) => !page.includes(volume))).toEqual([]);
});

it.each(images)('the registry says of $image$suffix what its Dockerfile says', ({ dockerfile, about }) => {
  expect(read(dockerfile)).toContain(`org.opencontainers.image.description="${about}"`);
});
